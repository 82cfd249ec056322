/** After the files are there: the packages, a first build, and git. */
import { CliFailure } from '../failure';
import { wordsOf } from './installers';
import type { ProjectChoices } from './project-choices';
import { runProgram, type Ended } from './run-program';
import { INTERRUPTED } from './write-project';

const OFFLINE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/**
 * Installs what `package.json` names.
 * @throws CliFailure with what to run later; the project stays as it is, complete
 */
export async function installProject(choices: ProjectChoices): Promise<void> {
  const { packageManager } = choices;
  await heedingInterrupts(choices, async () => {
    const ended = await runProgram(packageManager, wordsOf(packageManager).installArguments, choices.folder);
    if (ended.code !== 0) throw later(choices, whyFailed(packageManager, ended));
  });
}

/**
 * Compiles it, so that an application can start it at once.
 * @throws CliFailure if it does not compile
 */
export async function buildProject(choices: ProjectChoices): Promise<void> {
  const { packageManager, name, folder } = choices;
  await heedingInterrupts(choices, async () => {
    const { code, said } = await runProgram(packageManager, ['run', 'build'], folder);
    if (code === 0) return;
    throw new CliFailure(
      `${name} is installed, but does not compile: ${firstReason(said)}`,
      `See what is wrong with ${wordsOf(packageManager).run} build.`,
    );
  });
}

/** @returns whether the folder is a git repository now, or was one already */
export async function startGit(folder: string): Promise<boolean> {
  const inside = await runProgram('git', ['rev-parse', '--is-inside-work-tree'], folder);
  if (inside.code === 0) return true;
  return (await runProgram('git', ['init', '--quiet'], folder)).code === 0;
}

/** Ctrl-C reaches the program that runs as well; we stay until it is gone, to say where things stand. */
async function heedingInterrupts(choices: ProjectChoices, run: () => Promise<void>): Promise<void> {
  let interrupted = false;
  const interrupt = (): void => void (interrupted = true);
  process.on('SIGINT', interrupt);
  try {
    await run();
  } catch (error) {
    if (!interrupted) throw error;
  } finally {
    process.off('SIGINT', interrupt);
  }
  if (interrupted) throw later(choices, 'the installation was stopped', INTERRUPTED);
}

function later({ name, folder, packageManager }: ProjectChoices, why: string, exitCode = 1): CliFailure {
  return new CliFailure(
    `${name} is written, but its packages are not installed: ${why}.`,
    `Finish it with: cd ${folder} && ${wordsOf(packageManager).install}`,
    exitCode,
  );
}

function whyFailed(packageManager: string, { missing, said }: Ended): string {
  if (missing) return `${packageManager} is not on this machine`;
  const offline = OFFLINE.exec(said);
  if (offline) return `the package registry cannot be reached (${offline[0]})`;
  const unknown = /'?(@sigil-mcp\/[\w-]+)@[^']*'? is not in this registry|404[^\n]*(@sigil-mcp)/.exec(said);
  if (unknown) return 'the registry does not have the packages of Sigil (--packages takes them from a folder)';
  return `${packageManager} says "${firstReason(said)}"`;
}

/** The first line with a reason in it, without what package managers put before it. */
function firstReason(said: string): string {
  const lines = said
    .split('\n')
    .map((line) => line.replace(/^(npm (error|ERR!)|\s*ERR_PNPM_\w+|error)\s*/, '').trim())
    .filter((line) => line !== '' && !/^(code|A complete log|errno|syscall)\b/.test(line));
  return (lines[0] ?? 'nothing').replace(/\.$/, '');
}
