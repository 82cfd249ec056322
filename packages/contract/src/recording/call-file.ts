/** The file of recorded calls: written in the background, up to a size. */
import { createWriteStream, fchmodSync, fstatSync, statSync, type WriteStream } from 'node:fs';
import type { Logger } from '@sigil-mcp/core';

/** Bytes that may wait to be written; calls beyond that are not recorded. */
const MOST_WAITING = 8 * 1024 * 1024;

/** The permissions of all but the user of the file. */
const OTHERS = 0o077;

/** Appends lines to a file. */
export class CallFile {
  #stream: WriteStream | undefined;
  #size: number;

  /**
   * @param path of the file, whose folder exists; what it has stays
   * @param limit bytes of the file
   * @throws Error of Node if the file cannot be opened for writing
   */
  constructor(
    path: string,
    private readonly limit: number,
    logger: Pick<Logger, 'warn'>,
  ) {
    this.#size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
    stream.on('open', (file) => {
      if (!makePrivate(file))
        logger.warn({ path }, `Recorded calls can be read by others: the permissions of ${path} cannot be changed`);
    });
    stream.on('error', (err) => {
      this.#stream = undefined;
      logger.warn({ err }, `Calls are no longer recorded: ${path} cannot be written`);
    });
    this.#stream = stream;
  }

  /** @returns whether the line will be written */
  add(line: string): boolean {
    const stream = this.#stream;
    const bytes = Buffer.byteLength(line) + 1;
    if (!stream || this.#size + bytes > this.limit || stream.writableLength + bytes > MOST_WAITING) return false;
    this.#size += bytes;
    stream.write(`${line}\n`);
    return true;
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    if (!stream || stream.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      stream.once('error', () => resolve());
      stream.end(() => resolve());
    });
  }
}

/** A file that others could read before has the arguments of callers now. @returns whether it is for its user alone */
function makePrivate(file: number): boolean {
  try {
    const found = fstatSync(file);
    if (found.isFile() && (found.mode & OTHERS) !== 0) fchmodSync(file, found.mode & ~OTHERS);
    return true;
  } catch {
    return false;
  }
}
