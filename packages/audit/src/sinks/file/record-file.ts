/** The file that records are appended to: whole lines, or nothing of them. */
import { closeSync, fstatSync, fsync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';

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
