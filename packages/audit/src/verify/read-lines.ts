/** The lines of a file, one after the other, without holding more than one of them. */
import { createReadStream } from 'node:fs';

/** A line of a file. */
export interface FileLine {
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
