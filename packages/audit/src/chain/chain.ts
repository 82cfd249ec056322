/** A chain of records: without the secret, the hashes that follow a changed, removed or moved record cannot be computed. */
import { isObject, parseJson } from '@sigil-mcp/core/internal';
import { DIGEST_LENGTH, type AuditKeys } from './audit-keys';

/** The newest record of a chain. */
export type ChainHead = Pick<ChainPlace, 'sequence' | 'hash'>;

/** Seals records, one after the other. */
export class Chain {
  #sequence = 0;
  #hash = '';

  constructor(private readonly keys: Pick<AuditKeys, 'ofRecord'>) {}

  /** The next record follows this one. */
  continueAfter({ sequence, hash }: ChainHead): void {
    this.#sequence = sequence;
    this.#hash = hash;
  }

  /** @param body a record without its closing brace @returns the line */
  readonly seal = (body: string): string => {
    this.#sequence += 1;
    const text = `${body},"sequence":${this.#sequence},"previous":"${this.#hash}"`;
    this.#hash = this.keys.ofRecord(text);
    return `${text},"hash":"${this.#hash}"}`;
  };
}

/** The line of a record that belongs to no chain. */
export function withoutChain(body: string): string {
  return `${body}}`;
}

// The end of a record in a chain: its place, the hash of the record before, and its own.

/** The place of a record in its chain. */
export interface ChainPlace {
  /** 1 for the first record. */
  readonly sequence: number;
  /** The hash of the record before; empty for the first. */
  readonly previous: string;
  readonly hash: string;
}

/** Bytes from the comma before `hash` to the end of the line. */
export const SEAL_LENGTH = ',"hash":"'.length + DIGEST_LENGTH + '"}'.length;
/** The most bytes of the three members at the end. */
const LONGEST_PLACE = 200;

const PLACE = /,"sequence":([1-9]\d{0,15}),"previous":"([\w-]{43}|)","hash":"([\w-]{43})"\}$/;

/** The place of a record. @returns undefined if it belongs to no chain */
export function placeOf(line: Uint8Array): ChainPlace | undefined {
  // Its last bytes are ASCII; what they follow may be anything.
  const end = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString(
    'latin1',
    line.length - LONGEST_PLACE,
  );
  const found = PLACE.exec(end);
  return found ? { sequence: Number(found[1]), previous: found[2] ?? '', hash: found[3] ?? '' } : undefined;
}

// The head of a chain next to its file: without it, nobody could tell that the newest records were removed.

/** The end of the name of the file that holds it. */
export const MARK_SUFFIX = '.head';

/** What the file says. */
export interface ChainMark {
  readonly time: string;
  readonly hash: string;
  readonly proof: string;
}

/** Writes a mark. */
export function writeMark(hash: string, time: string, keys: Pick<AuditKeys, 'ofHead'>): string {
  return `${JSON.stringify({ version: 1, time, hash, proof: keys.ofHead(`${time} ${hash}`) })}\n`;
}

/** Reads a mark. @returns undefined for any other text */
export function readMark(text: string): ChainMark | undefined {
  const read = parseJson(text);
  const { time, hash, proof } = isObject(read) ? read : {};
  return typeof time === 'string' && typeof hash === 'string' && typeof proof === 'string'
    ? { time, hash, proof }
    : undefined;
}

/** Whether a mark was written with these keys. */
export function isProven({ time, hash, proof }: ChainMark, keys: Pick<AuditKeys, 'ofHead'>): boolean {
  return keys.ofHead(`${time} ${hash}`) === proof;
}
