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
import { print } from '../terminal/outlet';
import { checkIsFree, writeProject } from './write-project';

/**
 * Creates a project.
 * @param folder asked for if left out
 * @throws CliFailure that says which files exist then, and what to do
 */
export async function newProject(folder: string | undefined, options: NewOptions): Promise<void> {
  const terminal = process.stdin.isTTY && process.stdout.isTTY;
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
  if (folder !== undefined) checkIsFree(choicesOf(said, options, process.env).folder);
  const frame = openFrame(terminal, 'A new MCP server');
  try {
    const answers = terminal && options.yes !== true ? await askAnswers(said, process.env) : said;
    const choices = choicesOf(answers, options, process.env);
    checkIsFree(choices.folder);
    await make(choices, frame);
    frame.close();
    print(nextSteps(choices, process.cwd()));
  } catch (error) {
    frame.abandon();
    throw error;
  }
}

async function make(choices: ProjectChoices, frame: StepOutput): Promise<void> {
  const { name, folder, transport } = choices;
  const pinned = await pinnedManager(choices.packageManager, process.env['npm_config_user_agent']);
  const files = projectFiles({ ...choices, ...(pinned !== undefined && { pinned }) });
  const kind = { stdio: 'stdio', http: 'HTTP', both: 'stdio and HTTP' }[transport];
  const own = files.filter(({ text }) => typeof text === 'string').length;
  const remove = await frame.step('Writing', `Wrote ${name}: ${kind}, ${own} files`, () => writeProject(folder, files));
  try {
    if (choices.install) await installAndBuild(choices, frame);
  } catch (error) {
    // No later installation could succeed, so the project would be of no use.
    if (isNoSigil(error)) remove();
    else await startRepository(choices, frame);
    throw error;
  }
  // After the installation, so that the commit has the lock file.
  await startRepository(choices, frame);
}

async function installAndBuild(choices: ProjectChoices, frame: StepOutput): Promise<void> {
  const { packageManager } = choices;
  await frame.step(`Installing with ${packageManager}`, `Installed its packages with ${packageManager}`, () =>
    installProject(choices),
  );
  await frame.step('Compiling', 'Compiled it to dist', () => buildProject(choices));
  await writeFirstContract(choices);
}

/** A repository with a first commit, also after an installation that failed: the user finishes that later. */
async function startRepository({ name, folder, git }: ProjectChoices, frame: StepOutput): Promise<void> {
  if (!git) return;
  const repository = await startGit(folder);
  if (repository === 'not installed') frame.note('Skipped git, because it is not installed.');
  if (repository === 'made' && !(await commitAll(folder, name))) {
    frame.note('Made no first commit, because git does not know your name: see git config user.name and user.email.');
  }
}

function isNoSigil(error: unknown): boolean {
  return error instanceof CliFailure && error.code === 'SIGIL_NEW_NO_SIGIL';
}
