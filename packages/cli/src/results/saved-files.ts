/** Writes the binary parts of a result to files: all of them, or none. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endingOf } from '../file-types';
import { codeOf, failure, reasonOf } from '../failure';
import { writeNewFile } from '../new-file';
import type { Shell } from '../terminal/shell';

/** The extensions of other names of a type, and of bytes of no known type. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['audio/wave', 'wav'],
  ['application/octet-stream', 'bin'],
]);
/** The longest name: names come from servers, which may send any length. */
const LONGEST_NAME = 60;
const LONGEST_EXTENSION = 12;

/** Binary content and its metadata. */
export interface BinaryContent {
  /** The content in base64, as the server sent it. */
  readonly data: string;
  readonly mimeType: string;
  /** The beginning of the file's name, from the server. */
  readonly stem: string;
}

/** The files of one result in one folder. */
export class SavedFiles {
  readonly #written: string[] = [];
  /** The last number that was tried for each name. */
  readonly #numbers = new Map<string, number>();

  constructor(
    private readonly shell: Pick<Shell, 'path' | 'shown'>,
    private readonly folder: string,
  ) {}

  /**
   * Writes a file under the first numbered name that is free.
   * @returns the path, relative to the current folder if possible
   * @throws CliFailure if it cannot be written; all files of this result are then removed
   */
  save({ data, mimeType, stem }: BinaryContent): string {
    try {
      mkdirSync(this.shell.path(this.folder), { recursive: true });
      const bytes = Buffer.from(data, 'base64');
      return this.shell.shown(this.#write(bytes, nameOf(stem), extensionOf(mimeType)));
    } catch (error) {
      for (const path of this.#written.splice(0)) rmSync(path, { force: true });
      throw failure('SIGIL_CLI_OUTPUT', { folder: this.folder, reason: reasonOf(error) });
    }
  }

  /** Creates a new file: existing files are never overwritten. */
  #write(bytes: Uint8Array, name: string, extension: string): string {
    for (let number = (this.#numbers.get(name) ?? 0) + 1; ; number++) {
      const path = join(this.shell.path(this.folder), `${name}-${number}.${extension}`);
      if (!writeIfFree(path, bytes)) continue;
      this.#numbers.set(name, number);
      this.#written.push(path);
      return path;
    }
  }
}

function writeIfFree(path: string, bytes: Uint8Array): boolean {
  try {
    writeNewFile(path, bytes);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** A name that all file systems accept: short, without dots, and always with a suffix, which avoids the reserved names of Windows. */
function nameOf(stem: string): string {
  const name = stem
    .slice(0, LONGEST_NAME)
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '');
  return name === '' ? 'file' : name;
}

function extensionOf(mimeType: string): string {
  const bare = mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
  const known = endingOf(bare) ?? OTHER_NAMES.get(bare) ?? bare.split('/')[1] ?? 'bin';
  const plain = known.replace(/^x-/, '').replace(/[^a-z0-9].*/s, '');
  return plain.slice(0, LONGEST_EXTENSION) || 'bin';
}
