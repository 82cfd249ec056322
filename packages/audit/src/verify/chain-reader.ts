/** Follows a chain from record to record, and says where it is broken. */
import { closeSync, createReadStream, existsSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AuditKeys } from '../chain/audit-keys';
import { MARK_SUFFIX, placeOf, SEAL_LENGTH, type ChainPlace } from '../chain/chain';
import { holdsRecords, ROTATED, rotatedFiles } from '../sinks/file/record-file';

/** A line of a file. */
interface FileLine {
  /** 1 for the first. */
  readonly number: number;
  readonly bytes: Buffer;
  /** Whether it has a line break at its end. */
  readonly isWhole: boolean;
}

const NEWLINE = 10;

const CHUNK = 1024 * 1024;

/** No record is longer. */
const LONGEST = 1024 * 1024;

/** What is wrong with a line. */
export type ChainFault =
  /** It is no record of a chain. */
  | 'no-record'
  /** Its hash is not that of its text: it was changed, or written without the secret. */
  | 'changed'
  /** Records between it and the line before are missing. */
  | 'missing'
  /** It belongs further up, or is there twice. */
  | 'moved'
  /** Another chain begins. */
  | 'new-chain'
  /** No secret fits. */
  | 'other-secret'
  /** The first record of the chain is missing. */
  | 'no-start'
  /** The newest records were removed: the mark next to the file knows more. */
  | 'cut'
  /** The mark next to the file is missing, or was not written with this secret. */
  | 'no-mark';

/** A fault, and how many records are missing, if that is known. */
export interface FoundFault {
  readonly fault: ChainFault;
  readonly missing?: number;
}

const KEY = /^\{"version":1,"kind":"started","id":"[\w.-]*","time":"[\w:.-]*",.*,"key":"([\w-]{8})"/;
const STARTED = '{"version":1,"kind":"started"';

/** Reads the lines of all files, in their order. */
export class ChainReader {
  readonly #keys: readonly AuditKeys[];
  #key: AuditKeys | undefined;
  #before: ChainPlace | undefined;
  #records = 0;
  #first: number | undefined;

  constructor(secrets: readonly string[]) {
    this.#keys = secrets.map((secret) => new AuditKeys(secret));
  }

  /** Records that were read. */
  get records(): number {
    return this.#records;
  }

  /** The place of the first record; more than 1 if earlier files were not given. */
  get first(): number | undefined {
    return this.#first;
  }

  /** The place of the last record. */
  get last(): ChainPlace | undefined {
    return this.#before;
  }

  get keys(): readonly AuditKeys[] {
    return this.#keys;
  }

  /** Reads the next line. @returns what is wrong with it; undefined if it is sound */
  read({ bytes }: FileLine): FoundFault | undefined {
    const place = placeOf(bytes);
    if (!place) return { fault: 'no-record' };
    const fault = this.#faultOf(bytes, place);
    this.#records += 1;
    this.#first ??= place.sequence;
    // A record that was written without the secret must not count as the one that the next follows.
    if (fault?.fault !== 'changed' && fault?.fault !== 'moved') this.#before = place;
    return fault;
  }

  #faultOf(bytes: Buffer, place: ChainPlace): FoundFault | undefined {
    const isKnown = this.#chooseKey(bytes, place);
    if (!isKnown) return { fault: 'other-secret' };
    if (this.#hashOf(bytes) !== place.hash) return this.#changed(place);
    return this.#orderOf(place);
  }

  /** The place of a changed record can be believed if it fits: then only this line is reported. */
  #changed(place: ChainPlace): FoundFault {
    const before = this.#before;
    if (!before || place.sequence === before.sequence + 1) this.#before = place;
    return { fault: 'changed' };
  }

  #orderOf({ sequence, previous }: ChainPlace): FoundFault | undefined {
    const before = this.#before;
    if (!before || previous === before.hash) return undefined;
    if (sequence === 1) return { fault: 'new-chain' };
    if (sequence <= before.sequence) return { fault: 'moved' };
    return { fault: 'missing', missing: sequence - before.sequence - 1 };
  }

  /** The secret may change when a server starts. */
  #chooseKey(bytes: Buffer, { hash }: ChainPlace): boolean {
    const isStart = bytes.subarray(0, STARTED.length).toString('latin1') === STARTED;
    if (!isStart && this.#key) return true;
    const named = isStart ? KEY.exec(bytes.toString('utf8'))?.[1] : undefined;
    const fits = this.#keys.find((key) =>
      named === undefined ? key.ofRecord(textOf(bytes)) === hash : key.id === named,
    );
    // A first record that no secret fits may have been changed.
    this.#key = fits ?? (named === undefined ? this.#keys[0] : undefined);
    return this.#key !== undefined;
  }

  #hashOf(bytes: Buffer): string | undefined {
    return this.#key?.ofRecord(textOf(bytes));
  }
}

function textOf(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length - SEAL_LENGTH);
}

/** @throws what the system says of a file that cannot be read */
export async function* readLines(path: string): AsyncGenerator<FileLine> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  // A stream of a file without an encoding has buffers.
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
    let from = 0;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      number += 1;
      yield { number, bytes: bytes.subarray(from, end), isWhole: true };
      from = end + 1;
    }
    // What is too long is no record: its end is enough to know that.
    rest = bytes.subarray(Math.max(from, bytes.length - LONGEST));
  }
  if (rest.length > 0) yield { number: number + 1, bytes: rest, isWhole: false };
}

// Finds the chains in a folder where several processes have their files, each with rotated ones and a mark.

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
