/** Bytes of a result, written to a file of their own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CliFailure, codeOf, reasonOf } from '../failure';

/** The names that files of a type end with, where it is not the type's own name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'text/plain': 'txt',
  'application/octet-stream': 'bin',
};

/** Bytes and what is known about them. */
export interface Bytes {
  /** The bytes as they travelled, base64. */
  readonly data: string;
  readonly mimeType: string | undefined;
  /** The beginning of the file's name. */
  readonly stem: string;
}

/**
 * Writes bytes into a folder, under the first numbered name that is free.
 * @returns the path, as a person in the current folder would write it
 */
export function saveFile(folder: string, { data, mimeType = 'application/octet-stream', stem }: Bytes): string {
  const extension = extensionOf(mimeType);
  const name = stem.replace(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'file';
  try {
    mkdirSync(folder, { recursive: true });
    for (let number = 1; ; number++) {
      const path = join(folder, `${name}-${number}.${extension}`);
      if (writeNew(path, data)) return relative(process.cwd(), path) || path;
    }
  } catch (error) {
    throw new CliFailure(
      `A file cannot be written to ${folder}: ${reasonOf(error)}.`,
      'Name another folder with --output.',
    );
  }
}

function writeNew(path: string, data: string): boolean {
  try {
    writeFileSync(path, Buffer.from(data, 'base64'), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function extensionOf(mimeType: string): string {
  const bare = mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
  const known = EXTENSIONS[bare] ?? bare.split('/')[1] ?? 'bin';
  return known.replace(/^x-/, '').replace(/[^a-z0-9]+.*$/, '') || 'bin';
}
