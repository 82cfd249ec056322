/** `sigil new`, from the options to a project that is installed and built, with instructions. */
import { CliFailure } from '../failure';
import { askAnswers } from './ask-answers';
import { openFrame, type StepOutput } from './frame';
import { buildProject, installProject, writeFirstContract } from './install-project';
import { choicesOf, type Answers, type NewOptions, type ProjectChoices, speaksStdio } from './project-choices';
import { projectFiles, quoteForShell } from './project-files';
import { checkIsFree, writeProject } from './write-project';
import type { Shell } from '../terminal/shell';
import { type PackageManager, wordsOf } from './installers';
import { runProgram } from './run-program';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Those that corepack starts. It does not start npm and bun, and pnpm refuses to work in a project of npm. */
const PINNED: readonly PackageManager[] = ['pnpm', 'yarn'];

/** The words of a commit that runs no hooks and asks for no passphrase: nobody would see the question. */
const COMMIT = ['-c', 'user.useConfigOnly=true', 'commit', '--quiet', '--no-verify', '--no-gpg-sign'];

/**
 * Creates a project.
 * @param folder asked for if left out
 * @throws CliFailure that says which files exist then, and what to do
 */
export async function newProject(shell: Shell, folder: string | undefined, options: NewOptions): Promise<void> {
  const terminal = shell.stdin.isTTY === true && shell.stdout.isTTY === true;
  const said: Answers = { ...options, ...(folder !== undefined && { folder }) };
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

/** A repository with a first commit, also after an installation that failed: the user finishes that later. It never makes `sigil new` fail. */
async function startRepository(shell: Shell, choices: ProjectChoices, frame: StepOutput): Promise<void> {
  const { name, folder } = choices;
  const git = async (...args: string[]): Promise<boolean> =>
    (await runProgram('git', args, { cwd: folder, env: shell.env })).code === 0;
  if (!choices.git || (await git('rev-parse', '--is-inside-work-tree'))) return;
  if (!(await git('init', '--quiet'))) return frame.note('Skipped git, because it is not installed.');
  if (!(await git('add', '--all')) || !(await git(...COMMIT, '--message', `Create ${name} with sigil new`)))
    frame.note('Made no first commit, because git does not know your name: see git config user.name and user.email.');
}

function isNoSigil(error: unknown): boolean {
  return error instanceof CliFailure && error.code === 'SIGIL_NEW_NO_SIGIL';
}

/**
 * The exact package manager of a new project, for corepack: the one that its developer has, so that nothing else is downloaded.
 * @returns for example `pnpm@10.1.0`; undefined if it does not have to be pinned, or is not installed
 */
async function pinnedManager(shell: Shell, name: PackageManager): Promise<string | undefined> {
  if (!PINNED.includes(name)) return undefined;
  const agent = shell.env['npm_config_user_agent'] ?? '';
  const [running = '', version] = agent.split(' ', 1)[0]?.split('/') ?? [];
  const found = running === name ? version : await installedVersion(shell, name);
  return found !== undefined && /^\d+\.\d+\.\d+/.test(found) ? `${name}@${found}` : undefined;
}

async function installedVersion(shell: Shell, name: PackageManager): Promise<string | undefined> {
  const { code, said } = await runProgram(name, ['--version'], shell);
  return code === 0 ? said.trim() : undefined;
}

/**
 * @param choices of the new project
 * @param cwd the user's current folder
 */
function nextSteps(choices: ProjectChoices, cwd: string): string {
  const { run, exec, test, install } = wordsOf(choices.packageManager);
  const way = relative(cwd, choices.folder);
  const commands = [
    ...(way === '' ? [] : [{ line: `cd ${quoteForShell(way)}`, what: '' }]),
    ...(choices.install ? [] : [{ line: install, what: 'installs its packages' }]),
    ...(choices.template === 'empty'
      ? [{ line: `${exec} sigil add feature tasks`, what: 'writes a feature with a tool and its test' }]
      : []),
    {
      line: `${run} dev`,
      what: choices.tokens
        ? 'serves it with an issuer to sign in at, and restarts it on every change'
        : 'serves it, and restarts it on every change',
    },
    ...(existsSync(join(choices.folder, 'sigil.lock.json'))
      ? []
      : [{ line: `${exec} sigil contract`, what: 'writes what it promises to clients; its tests need it' }]),
    { line: test, what: 'runs its tests' },
  ];
  const width = Math.max(...commands.map(({ line }) => line.length));
  return [
    '',
    `${choices.name} is ready:`,
    '',
    ...commands.map(({ line, what }) => `  ${what === '' ? line : `${line.padEnd(width)}   # ${what}`}`),
    '',
    connecting(choices),
    '',
  ].join('\n');
}

function connecting(choices: ProjectChoices): string {
  const { name, folder, install, packageManager } = choices;
  const { run, exec } = wordsOf(packageManager);
  const main = quoteForShell(join(folder, 'dist', 'main.js'));
  const command = speaksStdio(choices)
    ? `claude mcp add --scope user ${name} -- node ${main}`
    : `claude mcp add --transport http ${name} http://127.0.0.1:3000/mcp`;
  const built = speaksStdio(choices) && !install ? `${run} build && ` : '';
  const running = speaksStdio(choices) ? 'Add' : 'While it runs, add';
  return `${running} it to Claude Code with:\n\n  ${built}${command}\n\nFor Claude Desktop, Cursor, VS Code and others: ${exec} sigil install (see README.md).`;
}
