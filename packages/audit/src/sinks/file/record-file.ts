/** The file that records are appended to: whole lines, or nothing of them. */
import {
  closeSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { placeOf, type ChainHead } from '../../chain/chain';

/** What writes bytes, so that a test can let it fail. */
export type WriteBytes = (file: number, bytes: Uint8Array, offset: number) => number;

/** Writes the rest of some bytes, as far as the system takes them. */
export const writeBytes: WriteBytes = (file, bytes, offset) => writeSync(file, bytes, offset);

/** An open file. */
export class RecordFile {
  readonly descriptor: number;
  #size: number;
  /** Whether there may be a part of a record at its end. */
  #isTorn = false;
  #isDirty = false;

  constructor(
    path: string,
    mode: number,
    private readonly write: WriteBytes = writeBytes,
  ) {
    this.descriptor = openSync(path, 'a+', mode);
    this.#size = fstatSync(this.descriptor).size;
  }

  get size(): number {
    return this.#size;
  }

  /** Its size after a repair. */
  measure(): void {
    this.#size = fstatSync(this.descriptor).size;
  }

  /** The day, in milliseconds, of its last change. */
  get changed(): number {
    return fstatSync(this.descriptor).mtimeMs;
  }

  /**
   * Appends all bytes, or throws and leaves the file as it was.
   * @param syncs whether to wait until the disk keeps them
   */
  append(bytes: Uint8Array, syncs: boolean): void {
    this.#restore();
    this.#isTorn = true;
    let written = 0;
    let isKept = false;
    try {
      while (written < bytes.length) written += this.write(this.descriptor, bytes, written);
      if (syncs) fsyncSync(this.descriptor);
      isKept = true;
    } finally {
      // If not even this works, it is tried again before the next record.
      if (!isKept) this.#restore();
    }
    this.#isTorn = false;
    this.#isDirty = !syncs;
    this.#size += bytes.length;
  }

  /** Whether another program has written to it. */
  get isForeign(): boolean {
    return !this.#isTorn && fstatSync(this.descriptor).size > this.#size;
  }

  /** Asks the disk to keep what was written. @param report receives an error */
  sync(report: (error: Error) => void): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    fsync(this.descriptor, (error) => {
      if (error) report(error);
    });
  }

  /** Waits until the disk keeps what was written. */
  syncNow(): void {
    if (this.#isDirty) fsyncSync(this.descriptor);
    this.#isDirty = false;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  #restore(): void {
    if (!this.#isTorn) return;
    // A device cannot be truncated, and has nothing to remove.
    if (fstatSync(this.descriptor).size > this.#size) ftruncateSync(this.descriptor, this.#size);
    this.#isTorn = false;
  }
}

// The earlier files of a sink: `audit.log.000001`, in the order of their numbers.

const DIGITS = 6;

/** The end of the name of a file that was rotated. */
export const ROTATED = /\.(\d{6,})$/;

/** The rotated files of a path, the oldest first. */
export function rotatedFiles(path: string): readonly string[] {
  const [folder, name] = [dirname(path), basename(path)];
  const rotated = readdirSync(folder).filter(
    (one) => one.startsWith(`${name}.`) && ROTATED.test(one.slice(name.length)),
  );
  return rotated.sort((one, other) => numberOf(one) - numberOf(other)).map((one) => join(folder, one));
}

/** The name for the file that is rotated next. */
export function nextRotated(path: string): string {
  const last = rotatedFiles(path).at(-1);
  return `${path}.${`${(last === undefined ? 0 : numberOf(last)) + 1}`.padStart(DIGITS, '0')}`;
}

/** Removes the oldest files beyond a number. @returns those that were removed */
export function removeOldest(path: string, keep: number): readonly string[] {
  const files = rotatedFiles(path);
  const oldest = files.slice(0, Math.max(0, files.length - keep));
  for (const file of oldest) rmSync(file, { force: true });
  return oldest;
}

function numberOf(file: string): number {
  return Number(ROTATED.exec(file)?.[1]);
}

// The end of a file of records: its last record, and what a crash has left of one more.

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
