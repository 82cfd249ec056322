/**
 * What of a folder belongs to a program, for every command that copies one: all of it, except hidden files, and links out of the folder. Hidden
 * files are those of tools, and may have secrets: `.git`, `.env`, `.npmrc`. `@sigil-mcp/skills` serves the same files of a folder.
 */
import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, type Dirent } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { failure } from '../failure';
import { oneLine } from '../terminal/server-text';
import { isBelow, writeFiles } from '../write-files';

/** What is no part of a program, although it is in its folder. */
export interface LeftOut {
  /** With slashes. */
  readonly path: string;
  readonly why: 'hidden' | 'link' | 'special';
}

/** The files of a folder, by their paths in it, with slashes and in order. */
export interface ProgramFiles {
  readonly files: readonly string[];
  readonly left: readonly LeftOut[];
}

/** Whether a file or a folder is left out without a message, by its path in the folder that is read. */
export type IsNeedless = (path: string, isFolder: boolean) => boolean;

/** Where a walk is. */
interface FolderWalk {
  /** The real path of the folder. */
  readonly root: string;
  /** Real paths of the folders around: a link to one of them never ends. */
  readonly around: readonly string[];
  readonly isNeedless: IsNeedless;
  readonly files: string[];
  readonly left: LeftOut[];
  /** Files and folders so far, everywhere. */
  readonly seen: { count: number };
}

/** Files and folders below one folder: more are a mistake, such as links that repeat folders. */
const MOST_FOUND = 50_000;
/** Names that a line shows. */
const SHOWN = 5;
const PERMISSIONS = 0o777;

/**
 * Reads the files of a folder.
 * @param isNeedless nothing is if left out
 * @throws CliFailure if there are too many
 */
export function programFiles(folder: string, isNeedless: IsNeedless = () => false): ProgramFiles {
  const root = realpathSync.native(folder);
  const files: string[] = [];
  const left: LeftOut[] = [];
  walk(folder, '', { root, around: [root], isNeedless, files, left, seen: { count: 0 } });
  return { files, left };
}

/**
 * Copies the files of a folder, or one file. What is at the target is replaced.
 * @returns what was left out, by paths in the folder
 */
export function copyProgramFiles(source: string, target: string): readonly LeftOut[] {
  if (!statSync(source).isDirectory()) {
    if (isHidden(basename(source))) return [{ path: '', why: 'hidden' }];
    copyListed([''], { source, target });
    return [];
  }
  const { files, left } = programFiles(source);
  rmSync(target, { recursive: true, force: true });
  copyListed(files, { source, target });
  return left;
}

/** Copies files of a folder to another one, by their paths in it. */
export function copyListed(
  paths: readonly string[],
  { source, target }: { readonly source: string; readonly target: string },
): void {
  for (const path of paths) {
    const from = join(source, path);
    const mode = statSync(from).mode & PERMISSIONS;
    writeFiles([{ path: join(target, path), contents: readFileSync(from), mode }], { within: target });
  }
}

/** A line that names what was left out; no line if it is nothing. */
export function describeLeft(left: readonly LeftOut[]): string[] {
  if (left.length === 0) return [];
  const named = left.slice(0, SHOWN).map(({ path }) => oneLine(path));
  const rest = left.length - named.length;
  return [
    `  left out (hidden files, and links out of the folder): ${named.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`,
  ];
}

/** Whether a file is one of tools, and not of the program. */
export function isHidden(name: string): boolean {
  return name.startsWith('.');
}

function walk(folder: string, within: string, walked: FolderWalk): void {
  const { files, left, isNeedless, around, seen } = walked;
  for (const entry of sortedEntries(folder)) {
    const { name } = entry;
    const path = within === '' ? name : `${within}/${name}`;
    if (isNeedless(path, entry.isDirectory())) continue;
    seen.count += 1;
    if (seen.count > MOST_FOUND)
      throw failure('SIGIL_COPY_FAILED', { reason: `there are more than ${MOST_FOUND} files and folders` });
    const child = join(folder, name);
    const why = whyLeft(name, child, walked);
    if (why !== undefined) left.push({ path, why });
    else if (statSync(child).isDirectory())
      walk(child, path, { ...walked, around: [...around, realpathSync.native(child)] });
    else files.push(path);
  }
}

function sortedEntries(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort(({ name: one }, { name: other }) => (one < other ? -1 : 1));
}

function whyLeft(name: string, path: string, { root, around }: FolderWalk): LeftOut['why'] | undefined {
  if (isHidden(name)) return 'hidden';
  const isLink = lstatSync(path).isSymbolicLink();
  const real = isLink ? targetOf(path) : path;
  if (isLink && (real === undefined || !isVisibleIn(root, real) || around.includes(real))) return 'link';
  const found = statSync(path);
  return found.isFile() || found.isDirectory() ? undefined : 'special';
}

function targetOf(link: string): string | undefined {
  try {
    return realpathSync.native(link);
  } catch {
    return undefined;
  }
}

/** Kubernetes mounts files as links to a folder `..data`, which is hidden so that each file is found once. */
function isVisibleIn(root: string, real: string): boolean {
  if (!isBelow(root, real)) return false;
  return relative(root, real)
    .split(sep)
    .every((name) => !isHidden(name) || name.startsWith('..'));
}
