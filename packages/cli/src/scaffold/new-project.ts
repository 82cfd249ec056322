/** `sigil new`, from the options to a project that is installed and built, with instructions. */
import { CliFailure } from '../failure';
import { askAnswers } from './ask-answers';
import { openFrame, type StepOutput } from './frame';
import { buildProject, installProject, writeFirstContract } from './install-project';
import { nextSteps } from './next-steps';
import { choicesOf, type Answers, type NewOptions } from './new-options';
import type { ProjectChoices } from './project-choices';
import { pinnedManager } from './corepack-pin';
import { projectFiles } from './project-files';
import { commitAll, startGit } from './start-git';
import { checkIsFree, writeProject } from './write-project';
import type { Shell } from '../terminal/shell';

/**
 * Creates a project.
 * @param folder asked for if left out
 * @throws CliFailure that says which files exist then, and what to do
 */
export async function newProject(shell: Shell, folder: string | undefined, options: NewOptions): Promise<void> {
  const terminal = shell.stdin.isTTY === true && shell.stdout.isTTY === true;
  const { transport, template, tokens, packageManager, esm, git } = options;
  const said: Answers = {
    ...(folder !== undefined && { folder }),
    ...(transport !== undefined && { transport }),
    ...(template !== undefined && { template }),
    ...(tokens !== undefined && { tokens }),
    ...(packageManager !== undefined && { packageManager }),
    ...(esm !== undefined && { esm }),
    ...(git !== undefined && { git }),
  };
  // The folder is checked before the questions.
  if (folder !== undefined) checkIsFree(choicesOf(said, options, shell).folder);
  const frame = openFrame(shell, terminal, 'A new MCP server');
  try {
    const answers = terminal && options.yes !== true ? await askAnswers(shell, said) : said;
    const choices = choicesOf(answers, options, shell);
    checkIsFree(choices.folder);
    await make(shell, choices, frame);
    frame.close();
    shell.print(nextSteps(choices, shell.cwd));
  } catch (error) {
    frame.abandon();
    throw error;
  }
}

async function make(shell: Shell, choices: ProjectChoices, frame: StepOutput): Promise<void> {
  const { name, folder, transport } = choices;
  const pinned = await pinnedManager(shell, choices.packageManager);
  const files = projectFiles({ ...choices, ...(pinned !== undefined && { pinned }) });
  const kind = { stdio: 'stdio', http: 'HTTP', both: 'stdio and HTTP' }[transport];
  const own = files.filter(({ text }) => typeof text === 'string').length;
  const remove = await frame.step('Writing', `Wrote ${name}: ${kind}, ${own} files`, () =>
    writeProject(shell, folder, files),
  );
  try {
    if (choices.install) await installAndBuild(shell, choices, frame);
  } catch (error) {
    // No later installation could succeed, so the project would be of no use.
    if (isNoSigil(error)) remove();
    else await startRepository(shell, choices, frame);
    throw error;
  }
  // After the installation, so that the commit has the lock file.
  await startRepository(shell, choices, frame);
}

async function installAndBuild(shell: Shell, choices: ProjectChoices, frame: StepOutput): Promise<void> {
  const { packageManager } = choices;
  await frame.step(`Installing with ${packageManager}`, `Installed its packages with ${packageManager}`, () =>
    installProject(shell, choices),
  );
  await frame.step('Compiling', 'Compiled it to dist', () => buildProject(shell, choices));
  await writeFirstContract(shell, choices);
}

/** A repository with a first commit, also after an installation that failed: the user finishes that later. */
async function startRepository(shell: Shell, { name, folder, git }: ProjectChoices, frame: StepOutput): Promise<void> {
  if (!git) return;
  const repository = await startGit(shell.env, folder);
  if (repository === 'not installed') frame.note('Skipped git, because it is not installed.');
  if (repository === 'made' && !(await commitAll(shell.env, folder, name))) {
    frame.note('Made no first commit, because git does not know your name: see git config user.name and user.email.');
  }
}

function isNoSigil(error: unknown): boolean {
  return error instanceof CliFailure && error.code === 'SIGIL_NEW_NO_SIGIL';
}
