/** Bytes of a result, written to files of their own: all of them, or none. */
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { codeOf, failure, reasonOf } from '../failure';

/** The names that files of a type end with, where it is not the type's own name. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/svg+xml', 'svg'],
  ['audio/mpeg', 'mp3'],
  ['audio/wave', 'wav'],
  ['audio/x-wav', 'wav'],
  ['text/plain', 'txt'],
  ['application/octet-stream', 'bin'],
]);
/** Names are made of what servers say, which may be of any length. */
const LONGEST_NAME = 60;
const LONGEST_EXTENSION = 12;

/** Bytes and what is known about them. */
export interface Bytes {
  /** The bytes as they travelled, base64. */
  readonly data: string;
  readonly mimeType: string;
  /** The beginning of the file's name, as the server has it. */
  readonly stem: string;
}

/** The files of one result in one folder. */
export class SavedFiles {
  readonly #written: string[] = [];
  /** The number that was last tried for a name, by that name. */
  readonly #numbers = new Map<string, number>();

  constructor(private readonly folder: string) {}

  /**
   * Writes bytes under the first numbered name that is free.
   * @returns the path, as a person in the current folder would write it
   * @throws CliFailure if that cannot be; no file of this result is there then
   */
  save({ data, mimeType, stem }: Bytes): string {
    try {
      mkdirSync(this.folder, { recursive: true });
      const { path, file } = this.#open(nameOf(stem), extensionOf(mimeType));
      try {
        writeFileSync(file, Buffer.from(data, 'base64'));
      } finally {
        closeSync(file);
      }
      return relative(process.cwd(), path) || path;
    } catch (error) {
      for (const path of this.#written.splice(0)) rmSync(path, { force: true });
      throw failure('SIGIL_CLI_OUTPUT', { folder: this.folder, reason: reasonOf(error) });
    }
  }

  /** Opens a file that was not there before: what somebody else has is never written over. */
  #open(name: string, extension: string): { readonly path: string; readonly file: number } {
    for (let number = (this.#numbers.get(name) ?? 0) + 1; ; number++) {
      const path = join(this.folder, `${name}-${number}.${extension}`);
      const file = openNew(path);
      if (file === undefined) continue;
      this.#numbers.set(name, number);
      this.#written.push(path);
      return { path, file };
    }
  }
}

function openNew(path: string): number | undefined {
  try {
    return openSync(path, 'wx');
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/** A name that all file systems take: short, without dots, and never bare, which rules out the reserved ones of Windows. */
function nameOf(stem: string): string {
  const name = stem
    .slice(0, LONGEST_NAME)
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'file' : name;
}

function extensionOf(mimeType: string): string {
  const bare = mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
  const known = EXTENSIONS.get(bare) ?? bare.split('/')[1] ?? 'bin';
  const plain = known.replace(/^x-/, '').replace(/[^a-z0-9]+.*$/s, '');
  return plain.slice(0, LONGEST_EXTENSION) || 'bin';
}
