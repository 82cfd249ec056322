/** Reads the file of a page, once. */
import { readFileSync, statSync } from 'node:fs';

/** The largest page, in bytes: hosts receive it in one message and load it into a frame. */
const LARGEST = 8 * 1024 * 1024;

/** The text of a page, or why it cannot be read, in words that follow the name of the file. */
export type PageText = { readonly html: string } | { readonly reason: string };

/** Reads a page. The file is not opened if it is no file, because reading a pipe would wait. */
export function readPageFile(path: string): PageText {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { reason: `(${path}) is not a file` };
    if (stats.size > LARGEST) return { reason: `(${path}) has ${stats.size} bytes, and ${LARGEST} are the limit` };
    return decode(readFileSync(path), path);
  } catch (error) {
    return { reason: `(${path}) ${reasonOf(error)}` };
  }
}

function decode(bytes: Uint8Array, path: string): PageText {
  try {
    // Without the byte order mark, which some editors write.
    return { html: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { reason: `(${path}) is not UTF-8` };
  }
}

function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
}
