/** Lines for a stream that perhaps nobody reads: what waits there waits in memory, and clients can cause lines at will. */
import type { Writable } from 'node:stream';

/** Bytes that may wait. */
const MOST_WAITING = 4 * 1024 * 1024;

/**
 * Makes a writer that leaves lines out while too many wait, and says how many when there is room again.
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
