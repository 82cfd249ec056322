/** The end of a record in a chain: its place, the hash of the record before, and its own. */
import { DIGEST_LENGTH } from './audit-keys';

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
