/** The steps after the files are written: packages, and a first build. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endedBySignal, failure } from '../failure';
import { wordsOf } from './installers';
import type { ProjectChoices } from './project-choices';
import { quoteForShell } from './project-files';
import { runProgram, type RunOptions, type ProgramEnd } from './run-program';
import type { Shell } from '../terminal/shell';
import { statusOfSignal } from '../terminal/interruption';

const OFFLINE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/;

const NETWORK = /\bnpm (?:error|ERR!) network\b|network (?:connectivity|request|timeout)/i;

/** How npm, pnpm, yarn and bun report that a registry does not have one of our packages. */
const LACKING =
  /404[^\n]*@sigil-mcp|@sigil-mcp[^\n]*(?:\b404\b|is not in this registry|not found)|find package "@sigil-mcp/i;

/** How package managers begin a line with an error. */
const PREFIX = /^(?:npm (?:error|ERR!)|\s*ERR_PNPM_\w+|error:?(?=\s))\s*/;

/**
 * Installs the dependencies in `package.json`.
 * @throws CliFailure with the command to run later; SIGIL_NEW_NO_SIGIL if no later run could succeed
 */
export async function installProject(shell: Shell, choices: ProjectChoices): Promise<void> {
  const { name, packageManager, folder } = choices;
  const { install, installArguments } = wordsOf(packageManager);
  const command = inFolder(choices, install);
  const words = ['SIGIL_NEW_INSTALLATION_STOPPED', { name, command }] as const;
  const { ended, offline } = await heedingSignals(shell, words, async (signal) => {
    const end = await runProgram(packageManager, installArguments, { cwd: folder, env: shell.env, signal });
    const unsure = end.code !== 0 && packageManager === 'npm' && /\bERESOLVE\b/.test(end.said);
    return { ended: end, offline: unsure ? await findsNoRegistry({ cwd: folder, env: shell.env, signal }) : undefined };
  });
  if (ended.code === 0) return;
  const reason = offline ?? whyInstallationFailed(packageManager, ended);
  throw offline === undefined && lacksSigil(ended.said)
    ? failure('SIGIL_NEW_NO_SIGIL', { name, folder: quoteForShell(folder) })
    : failure('SIGIL_NEW_NOT_INSTALLED', { name, reason, command });
}

/**
 * Compiles the project, so that an application can start it at once.
 * @throws CliFailure if it does not compile
 */
export async function buildProject(shell: Shell, choices: ProjectChoices): Promise<void> {
  const { packageManager, name, folder } = choices;
  const command = inFolder(choices, `${wordsOf(packageManager).run} build`);
  const { code, said } = await heedingSignals(shell, ['SIGIL_NEW_BUILD_STOPPED', { name, command }], (signal) =>
    runProgram(packageManager, ['run', 'build'], { cwd: folder, env: shell.env, signal }),
  );
  if (code !== 0) throw failure('SIGIL_NEW_NOT_BUILT', { name, reason: firstReason(said), command });
}

/**
 * Writes the contract of the project, which its tests compare the server with.
 * @returns whether it was written; a project whose packages are not in `node_modules` has none yet
 * @throws CliFailure after Ctrl-C
 */
export async function writeFirstContract(shell: Shell, choices: ProjectChoices): Promise<boolean> {
  const { name, folder, packageManager } = choices;
  const program = join(folder, 'node_modules', '@sigil-mcp', 'cli', 'dist', 'main.js');
  if (!existsSync(program)) return false;
  const command = inFolder(choices, `${wordsOf(packageManager).exec} sigil contract`);
  const { code } = await heedingSignals(shell, ['SIGIL_NEW_BUILD_STOPPED', { name, command }], (signal) =>
    runProgram(process.execPath, [program, 'contract'], { cwd: folder, env: shell.env, signal }),
  );
  return code === 0;
}

/** With packages from files, npm reports unreachable packages as a conflict, so this asks the registry for one. */
async function findsNoRegistry(where: RunOptions): Promise<string | undefined> {
  const quickly = ['--fetch-retries=0', '--fetch-timeout=5000', '--prefer-online'];
  const { said } = await runProgram('npm', ['view', 'typescript', 'version', ...quickly], where);
  return isOffline(said);
}

function inFolder({ folder }: ProjectChoices, command: string): string {
  return `cd ${quoteForShell(folder)} && ${command}`;
}

/**
 * @param words of the failure if a signal stops the work
 * @param run is aborted by its signal, and awaited
 * @throws CliFailure if it was stopped
 */
async function heedingSignals<T>(
  shell: Shell,
  [code, words]: readonly [
    'SIGIL_NEW_INSTALLATION_STOPPED' | 'SIGIL_NEW_BUILD_STOPPED',
    { readonly name: string; readonly command: string },
  ],
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let stopped: number | undefined;
  const stopHearing = shell.hearSignals((name) => {
    stopped ??= statusOfSignal(name);
    controller.abort();
  });
  try {
    const result = await run(controller.signal);
    if (stopped === undefined) return result;
  } finally {
    stopHearing();
  }
  throw endedBySignal(stopped, code, words);
}

/** @returns the reason, to be read after a colon, without a full stop */
export function whyInstallationFailed(packageManager: string, { missing, said }: ProgramEnd): string {
  if (missing) return `${packageManager} is not installed`;
  return isOffline(said) ?? `${packageManager} says "${firstReason(said)}"`;
}

/** @returns the reason if the registry cannot be reached */
function isOffline(said: string): string | undefined {
  const [code] = OFFLINE.exec(said) ?? [];
  if (code !== undefined) return `the package registry cannot be reached (${code})`;
  return NETWORK.test(said) ? 'the package registry cannot be reached' : undefined;
}

/** Whether the registry answered that it does not have our packages. */
export function lacksSigil(said: string): boolean {
  return isOffline(said) === undefined && LACKING.test(said);
}

/** The first line with a reason, without the prefix of the package manager. Yarn and bun write their names and versions before it. */
export function firstReason(said: string): string {
  const all = said.split('\n');
  const errors = all.filter((line) => PREFIX.test(line));
  const lines = (errors.length > 0 ? errors : all)
    .map((line) => line.replace(PREFIX, '').trim())
    .filter((line) => line !== '' && !/^(code|A complete log|errno|syscall)\b/.test(line));
  return (lines[0] ?? 'nothing').replace(/\.$/, '');
}
