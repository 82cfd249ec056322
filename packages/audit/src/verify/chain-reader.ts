/** Follows a chain from record to record, and says where it is broken. */
import { AuditKeys } from '../chain/audit-keys';
import { placeOf, SEAL_LENGTH, type ChainPlace } from '../chain/sealed-record';
import { createReadStream } from 'node:fs';

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
