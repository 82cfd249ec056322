/** Finds the chains in a folder where several processes have their files, each with rotated ones and a mark. */
import { closeSync, existsSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MARK_SUFFIX } from '../chain/chain-mark';
import { holdsRecords } from '../sinks/file/last-record';
import { ROTATED, rotatedFiles } from '../sinks/file/rotated-files';

/** The files of one process, or of several that had the same files one after the other. */
export interface FoundChain {
  /** The path of the file that is written to. It may be missing, as in an archive, or because it was removed. */
  readonly path: string;
  /** The files that are there, the oldest first. */
  readonly files: readonly string[];
  /** Whether the file or its mark is there, so that the mark has to tell its newest record. */
  readonly hasEnd: boolean;
}

/** What is in a folder. */
export interface FoundFiles {
  readonly chains: readonly FoundChain[];
  /** Files that have no records. */
  readonly others: readonly string[];
}

const SUFFIXES = new RegExp(`(${ROTATED.source}|\\${MARK_SUFFIX}(\\.new)?$)`);
const LOCK = '.lock';

/**
 * Finds the chains in a folder and the folders in it. A file that cannot be read counts as one of a chain, so that it is not passed over.
 * @throws what the system says of a folder that cannot be read
 */
export function findChains(folder: string): FoundFiles {
  const paths = new Set([...filesIn(folder)].map((file) => file.replace(SUFFIXES, '')));
  const found = [...paths].sort().map(chainOf);
  const chains = found.filter(mayBeChain);
  return { chains, others: found.filter((one) => !chains.includes(one)).flatMap(({ files }) => files) };
}

function mayBeChain({ path, files }: FoundChain): boolean {
  return existsSync(`${path}${MARK_SUFFIX}`) || files.some(mayHoldRecords);
}

function chainOf(path: string): FoundChain {
  const isThere = isFile(path);
  const files = [...rotatedFiles(path), ...(isThere ? [path] : [])];
  return { path, files, hasEnd: isThere || existsSync(`${path}${MARK_SUFFIX}`) };
}

/** No lock, and no folder behind a link. */
function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() && isFile(path)) yield path;
    if (entry.isDirectory() && !entry.name.endsWith(LOCK)) yield* filesIn(path);
  }
}

/** A link that leads nowhere counts as a file that cannot be read. */
function isFile(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() !== true) return found?.isFile() === true;
  try {
    return !statSync(path).isDirectory();
  } catch {
    return true;
  }
}

function mayHoldRecords(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      return holdsRecords(file);
    } finally {
      closeSync(file);
    }
  } catch {
    return true;
  }
}
