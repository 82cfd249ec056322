/**
 * The one place that opens files for writing; `eslint` keeps it so. A file is new: if there is something at its name, such as a link that a
 * repository has there, that is an error. What replaces a file goes through write-files.ts.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** How a new file is written. */
export interface NewFile {
  /** The permissions, before the umask of the process; those of most files if left out. */
  readonly mode?: number;
  /** Whether it is on the disk before the function returns; false if left out. */
  readonly isDurable?: boolean;
}

const USUAL = 0o666;
/** The permissions of a file for its user alone. */
export const PRIVATE = 0o600;
const OTHERS = 0o077;

/**
 * Writes a new file whole, or none, with its folders.
 * @throws an error of the system: EEXIST if there is something of that name, a link included
 */
export function writeNewFile(path: string, contents: string | Uint8Array, options: NewFile = {}): void {
  const { mode = USUAL, isDurable = false } = options;
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'wx', mode);
  let isWhole = false;
  try {
    writeFileSync(file, contents);
    if (isDurable) fsyncSync(file);
    isWhole = true;
  } finally {
    closeSync(file);
    if (!isWhole) rmSync(path, { force: true });
  }
}

/** Copies a file to a new one, with its folders. @throws an error of the system: EEXIST if there is something of that name */
export function copyToNewFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to, constants.COPYFILE_EXCL);
}

/**
 * Makes sure that a file can be appended to, and that nobody else reads what is private in it: it is new with permissions for its user alone,
 * or gets them.
 * @throws an error of the system if it cannot be written, or cannot be made private
 */
export function preparePrivateFile(path: string): void {
  const file = openSync(path, 'a', PRIVATE);
  try {
    const found = fstatSync(file);
    if (found.isFile() && (found.mode & OTHERS) !== 0) fchmodSync(file, found.mode & ~OTHERS);
  } finally {
    closeSync(file);
  }
}
