/** The contract that a server is compared with: a file, an address, or the file of an earlier commit. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { failure, reasonOf, wrongUsage } from '../failure';

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
 * @throws CliFailure if it is missing
 */
export async function readEarlier(
  against: string | undefined,
  file: string,
  signal: AbortSignal,
): Promise<ContractText> {
  if (against === undefined) {
    if (!existsSync(file)) throw wrongUsage('SIGIL_CONTRACT_MISSING', { file });
    return { text: readFileSync(file, 'utf8'), name: file };
  }
  if (/^https?:\/\//i.test(against)) return { text: await fetchText(against, signal), name: against };
  if (existsSync(against)) return { text: readFileSync(against, 'utf8'), name: against };
  return { text: readCommit(against, file), name: `${against}:${file}` };
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

function readCommit(revision: string, file: string): string {
  // A revision is no option, however it is spelled.
  const args = ['show', '--end-of-options', `${revision}:./${basename(file)}`];
  const options = { cwd: dirname(file), encoding: 'utf8', maxBuffer: LARGEST } as const;
  const { status, stdout, stderr, error } = spawnSync('git', args, options);
  if (status === 0) return stdout;
  const reason = error ? reasonOf(error) : stderr.trim().replace(/\.$/, '');
  throw wrongUsage('SIGIL_CONTRACT_AGAINST', { against: revision, reason });
}
