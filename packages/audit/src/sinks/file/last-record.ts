/** The end of a file of records: its last record, and what a crash has left of one more. */
import { fstatSync, ftruncateSync, readSync } from 'node:fs';
import type { ChainHead } from '../../chain/chain';
import { placeOf } from '../../chain/sealed-record';

const CHUNK = 64 * 1024;
const NEWLINE = 10;
/** How every record begins. */
const BEGINNING = '{"version":1,"kind":"';

/** Whether a file is empty or begins with a record. */
export function holdsRecords(file: number): boolean {
  // A device has no size, and no records either.
  if (fstatSync(file).size === 0) return true;
  const start = Buffer.alloc(BEGINNING.length);
  const read = readSync(file, start, 0, start.length, 0);
  return BEGINNING.startsWith(start.toString('latin1', 0, read));
}

/** Removes a last record without its end. @returns how many bytes were removed */
export function repairEnd(file: number): number {
  const { size } = fstatSync(file);
  const whole = lastNewline(file, size) + 1;
  if (whole < size) ftruncateSync(file, whole);
  return size - whole;
}

/** The place of the last record in its chain; undefined for no record, or one without a chain. */
export function lastPlace(file: number): ChainHead | undefined {
  const end = lastNewline(file, fstatSync(file).size);
  if (end < 0) return undefined;
  const start = lastNewline(file, end) + 1;
  const line = Buffer.alloc(end - start);
  readSync(file, line, 0, line.length, start);
  return placeOf(line);
}

/** The position of the last line break before a position; -1 without one. */
function lastNewline(file: number, before: number): number {
  const chunk = Buffer.alloc(CHUNK);
  for (let end = before; end > 0;) {
    const start = Math.max(0, end - CHUNK);
    const read = readSync(file, chunk, 0, end - start, start);
    const found = chunk.subarray(0, read).lastIndexOf(NEWLINE);
    if (found >= 0) return start + found;
    end = start;
  }
  return -1;
}
