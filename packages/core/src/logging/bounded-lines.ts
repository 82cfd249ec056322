/** Lines for a stream that may have no reader: pending lines stay in memory, and clients can cause any number of lines. */
import type { Writable } from 'node:stream';

/** Bytes that may be pending. */
const MOST_WAITING = 4 * 1024 * 1024;

/**
 * Makes a writer that leaves lines out while too many are pending, and logs their number when there is room again.
 * @param stream where the lines go
 * @param leftOut makes the line that says how many are missing
 */
export function boundedLines(
  stream: Pick<Writable, 'write' | 'writableLength'>,
  leftOut: (count: number) => string,
): (line: string) => void {
  let missing = 0;
  return (line) => {
    if (stream.writableLength > MOST_WAITING) {
      missing += 1;
      return;
    }
    if (missing > 0) stream.write(leftOut(missing));
    missing = 0;
    stream.write(line);
  };
}
