/** The contract that a server is compared with: a file, an address, or the file of an earlier commit. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { failure, reasonOf, wrongUsage } from '../failure';
import type { Shell } from '../terminal/shell';

/** The text of a contract, and its name in messages. */
export interface ContractText {
  readonly text: string;
  readonly name: string;
}

/** Milliseconds for an address to answer. */
const LONGEST_ANSWER = 30_000;
/** Bytes of the file of a commit. */
const LARGEST = 256 * 1024 * 1024;

/**
 * Reads it.
 * @param against a URL, a file, or a revision of git; the file itself if left out
 * @param file the contract of the project
 * @returns undefined for a commit that has no contract yet, with which there is nothing to compare
 * @throws CliFailure if it is missing
 */
export async function readEarlier(
  shell: Shell,
  { against, file }: { readonly against: string | undefined; readonly file: string },
  signal: AbortSignal,
): Promise<ContractText | undefined> {
  if (against === undefined) {
    if (!existsSync(file)) throw wrongUsage('SIGIL_CONTRACT_MISSING', { file });
    return { text: readFileSync(file, 'utf8'), name: file };
  }
  if (/^https?:\/\//i.test(against)) return { text: await fetchText(against, signal), name: against };
  const path = shell.path(against);
  if (existsSync(path)) return { text: readFileSync(path, 'utf8'), name: against };
  const text = readCommit(against, { file, env: shell.env });
  return text === undefined ? undefined : { text, name: `${against}:${file}` };
}

/** Where git runs. */
interface AtFile {
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
}

async function fetchText(url: string, signal: AbortSignal): Promise<string> {
  const late = AbortSignal.timeout(LONGEST_ANSWER);
  const response = await fetch(url, { signal: AbortSignal.any([signal, late]) }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw failure('SIGIL_CONTRACT_AGAINST', { against: url, reason: reasonOf(error) });
  });
  if (response.ok) return response.text();
  throw failure('SIGIL_CONTRACT_AGAINST', { against: url, reason: `it answered with status ${response.status}` });
}

/** @returns undefined if the commit exists, and has no such file */
function readCommit(revision: string, at: AtFile): string | undefined {
  const { status, stdout, stderr, error } = git(at, ['show', '--end-of-options', `${revision}:./${basename(at.file)}`]);
  if (status === 0) return stdout;
  if (!error && isWithout(revision, at)) return undefined;
  const reason = error ? reasonOf(error) : stderr.trim().replace(/\.$/, '');
  throw wrongUsage('SIGIL_CONTRACT_AGAINST', { against: revision, reason });
}

/** Whether a commit exists, and has no such file. */
function isWithout(revision: string, at: AtFile): boolean {
  const listed = git(at, ['ls-tree', '--name-only', '--end-of-options', revision, `./${basename(at.file)}`]);
  return listed.status === 0 && listed.stdout === '';
}

/** Runs git in the folder of a file. A revision after --end-of-options is no option, however it is spelled. */
function git({ file, env }: AtFile, args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync('git', args, { cwd: dirname(file), env, encoding: 'utf8', maxBuffer: LARGEST });
}
