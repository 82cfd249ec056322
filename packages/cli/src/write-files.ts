/**
 * Writes files whole, in folders that others may have filled: a repository may have links at the names that a command writes. Drafts are new
 * files with names that nobody can know. Renaming one replaces a link at its place, and leaves what the link leads to.
 */
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { CliFailure, failure, reasonOf } from './failure';
import { writeNewFile } from './new-file';

/** The whole new content of a file. */
export interface WrittenFile {
  readonly path: string;
  readonly contents: string | Uint8Array;
  /** The permissions; those of the file that is there, or else the usual ones, if left out. */
  readonly mode?: number;
}

/** Where files may be written. */
export interface Boundary {
  /** No link leads out of this folder. Paths that do not begin with it were named by the user, and may be anywhere. */
  readonly within: string;
  /** Whether the files are on the disk before they replace others; false if left out. */
  readonly isDurable?: boolean;
}

const PERMISSIONS = 0o7777;

/**
 * Writes all files or none, in the order of the list, with their folders.
 * @throws CliFailure if a folder on the way is a link that leads out of the boundary; an error of the system if a file cannot be written
 */
export function writeFiles(files: readonly WrittenFile[], { within, isDurable = false }: Boundary): void {
  const drafts: string[] = [];
  const undo: (() => void)[] = [];
  try {
    for (const folder of new Set(files.map(({ path }) => dirname(path)))) checkInside(folder, within);
    for (const file of files) {
      const draft = draftOf(file.path);
      drafts.push(draft);
      writeDraft(draft, file, isDurable);
    }
    for (const [index, { path }] of files.entries()) {
      undo.push(rememberer(path));
      renameSync(drafts[index] ?? '', path);
    }
  } catch (error) {
    for (const draft of drafts) rmSync(draft, { force: true });
    for (const restore of undo.reverse()) restore();
    throw error;
  }
}

/**
 * Checks that a path stays in a folder. It need not exist.
 * @throws CliFailure if the path, or a folder on its way, is a link that leads out of the folder
 */
export function checkInside(path: string, folder: string): void {
  const way = relative(folder, path);
  if (way === '' || isOutside(way)) return;
  if (!existsSync(folder)) return;
  const root = realpathSync.native(folder);
  let link = folder;
  for (const name of way.split(sep)) {
    link = join(link, name);
    const found = lstatSync(link, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (found.isSymbolicLink() && !leadsInto(root, link))
      throw failure('SIGIL_FILE_OUTSIDE', { file: path, link, folder });
  }
}

/** A link to nothing leads nowhere. */
function leadsInto(root: string, link: string): boolean {
  try {
    return isBelow(root, realpathSync.native(link));
  } catch {
    return false;
  }
}

/** Whether a path is that of something in a folder; both are real paths. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !isOutside(way);
}

/**
 * Checks that what is read of a project is in it, although another author may have made its links.
 * @throws CliFailure if a path in the folder leads out of it; a path that does not begin with the folder may be anywhere
 */
export function checkOwnFile(file: string, folder: string): void {
  const root = realpathSync.native(folder);
  const isNamedThere = isBelow(folder, file) || isBelow(root, file);
  if (isNamedThere && !isBelow(root, realpathSync.native(file))) throw failure('SIGIL_BUILD_OUTSIDE', { file, folder });
}

function isOutside(way: string): boolean {
  return way.split(sep)[0] === '..' || isAbsolute(way);
}

function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}-${randomUUID()}`);
}

function writeDraft(draft: string, { path, contents, mode }: WrittenFile, isDurable: boolean): void {
  const before = fileAt(path);
  const permissions = mode ?? (before && before.mode & PERMISSIONS);
  writeNewFile(draft, contents, { isDurable, ...(permissions !== undefined && { mode: permissions }) });
  if (before && process.getuid?.() !== before.uid) chownSync(draft, before.uid, before.gid);
}

/** The file at a path, and nothing behind a link. */
function fileAt(path: string): Stats | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found : undefined;
}

/** @returns puts back what is at a path now */
function rememberer(path: string): () => void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) {
    const target = readlinkSync(path);
    return () => {
      rmSync(path, { force: true });
      symlinkSync(target, path);
    };
  }
  if (found?.isFile()) {
    const before = { path, contents: readFileSync(path), mode: found.mode & PERMISSIONS };
    return () => {
      const draft = draftOf(path);
      writeDraft(draft, before, false);
      renameSync(draft, path);
    };
  }
  return found ? () => undefined : () => rmSync(path, { force: true });
}

/** The failure of a command for what `writeFiles` throws. @param describe words for an error of the system */
export function writeFailure(error: unknown, describe: (reason: string) => CliFailure): CliFailure {
  return error instanceof CliFailure ? error : describe(reasonOf(error));
}
