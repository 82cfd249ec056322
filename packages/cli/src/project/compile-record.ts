/**
 * Everything that the compiler read for one program, so that an unchanged program is found without loading the compiler: the files, and
 * the questions to the file system whose other answer would change the program.
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import type { CompilerHost } from 'typescript';
import { isObject } from '@sigil-mcp/base';
import { readObject, type LooseObject } from '../json-object';
import { writeFiles } from '../write-files';

/** The answers of the file system during one compilation. */
interface FileAnswers {
  /** The digests of the files that were read. */
  readonly files: Record<string, string>;
  /** The paths where no file was found. */
  readonly noFiles: readonly string[];
  /** The paths where no folder was found. */
  readonly noFolders: readonly string[];
  /** The names in the folders that were listed. */
  readonly listed: Record<string, readonly string[]>;
  /** The targets of symbolic links. */
  readonly links: Record<string, string>;
  /** The declaration files below the folders of the configuration, which belong to the program without an import. */
  readonly declarations: Record<string, readonly string[]>;
}

/** A record as it is stored. */
interface CacheRecord extends FileAnswers {
  /** The folder of the compiled program in the cache. */
  readonly program: string;
}

/** Folders with installed or git files: the declaration files in them are found by other means. */
const FOREIGN = new Set(['node_modules', '.git']);

/** The part of a compiler's host that asks the file system. */
type ReadingHost = Pick<
  CompilerHost,
  'readFile' | 'fileExists' | 'directoryExists' | 'getDirectories' | 'realpath' | 'readDirectory'
>;

/** Notes the answers of the file system while a program is read. */
export class CompileRecord {
  readonly #files: Record<string, string> = {};
  readonly #noFiles = new Set<string>();
  readonly #noFolders = new Set<string>();
  readonly #listed: Record<string, readonly string[]> = {};
  readonly #links: Record<string, string> = {};
  readonly #roots = new Set<string>();

  /** A host that notes its answers. @param host is changed */
  watchHost<Host extends ReadingHost>(host: Host): Host {
    const { readFile, fileExists, directoryExists, getDirectories, realpath, readDirectory } = host;
    const noted = (absent: Set<string>, path: string, isThere: boolean): boolean => {
      if (!isThere) absent.add(path);
      return isThere;
    };
    host.readFile = (path) => {
      const text = readFile.call(host, path);
      if (text === undefined) this.#noFiles.add(path);
      else this.#files[path] = digestOf(text);
      return text;
    };
    host.fileExists = (path) => noted(this.#noFiles, path, fileExists.call(host, path));
    if (directoryExists)
      host.directoryExists = (path) => noted(this.#noFolders, path, directoryExists.call(host, path));
    if (getDirectories)
      host.getDirectories = (path) => (this.#listed[path] = [...getDirectories.call(host, path)].sort());
    if (realpath) {
      host.realpath = (path) => {
        const target = realpath.call(host, path);
        if (target !== path) this.#links[path] = target;
        return target;
      };
    }
    if (readDirectory) {
      host.readDirectory = (root, ...rest) => {
        this.#roots.add(root);
        return readDirectory.call(host, root, ...rest);
      };
    }
    return host;
  }

  /** Notes a file that was not read through a host. */
  addFile(path: string): void {
    const text = readText(path);
    if (text === undefined) this.#noFiles.add(path);
    else this.#files[path] = digestOf(text);
  }

  /** Stores the record of an entry file. A reader finds the whole record or none, because a finished file is renamed. */
  store(cache: string, entry: string, program: string): void {
    const stored: CacheRecord = {
      program: basename(program),
      files: this.#files,
      noFiles: [...this.#noFiles],
      noFolders: [...this.#noFolders],
      listed: this.#listed,
      links: this.#links,
      declarations: Object.fromEntries([...this.#roots].map((root) => [root, declarationsBelow(root)])),
    };
    writeFiles([{ path: recordOf(cache, entry), contents: JSON.stringify(stored) }], { within: cache });
  }
}

/** The folder of the compiled program of an entry file, if nothing that the compiler read has changed since. */
export function findUnchanged(cache: string, entry: string): string | undefined {
  // Empty if it is not stored yet, or damaged.
  const stored = readObject(recordOf(cache, entry));
  return isStored(stored) && isUnchanged(stored) ? join(cache, stored.program) : undefined;
}

function recordOf(cache: string, entry: string): string {
  return join(cache, `record-${digestOf(entry)}.json`);
}

function isStored(value: object): value is CacheRecord {
  const { program, files, noFiles, noFolders, listed, links, declarations }: LooseObject = { ...value };
  return (
    typeof program === 'string' &&
    [noFiles, noFolders].every(Array.isArray) &&
    [files, listed, links, declarations].every(isObject)
  );
}

function isUnchanged({ files, noFiles, noFolders, listed, links, declarations }: CacheRecord): boolean {
  try {
    return (
      Object.entries(files).every(([path, digest]) => digestOf(readText(path) ?? '') === digest) &&
      noFiles.every((path) => kindOf(path)?.isFile() !== true) &&
      noFolders.every((path) => kindOf(path)?.isDirectory() !== true) &&
      Object.entries(links).every(([path, target]) => fs.realpathSync.native(path) === target) &&
      Object.entries(listed).every(([path, names]) => isSame(foldersIn(path), names)) &&
      Object.entries(declarations).every(([root, names]) => isSame(declarationsBelow(root), names))
    );
  } catch {
    return false; // something is gone
  }
}

function kindOf(path: string): fs.Stats | undefined {
  return fs.statSync(path, { throwIfNoEntry: false });
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

/** As the compiler reads it: without a byte order mark. */
function readText(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch {
    return undefined;
  }
}

function foldersIn(path: string): string[] {
  if (!fs.existsSync(path)) return [];
  const names = fs.readdirSync(path).filter((name) => kindOf(join(path, name))?.isDirectory());
  return names.sort();
}

function declarationsBelow(root: string): string[] {
  if (!fs.existsSync(root)) return [];
  return fs
    .readdirSync(root, { withFileTypes: true })
    .flatMap((one) => {
      const path = join(root, one.name);
      if (one.isDirectory()) return FOREIGN.has(one.name) ? [] : declarationsBelow(path);
      return /\.d\.[cm]?ts$/.test(one.name) ? [path] : [];
    })
    .sort();
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
