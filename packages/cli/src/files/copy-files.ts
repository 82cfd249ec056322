/**
 * Files next to the sources, which compilers leave where they are: skills, views, anything that a program reads at run time. They are copied to
 * the compiled program, so that it finds them where its sources do.
 */
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { failure, reasonOf } from '../failure';
import type { SourceFolders } from './output-folder';

/** What the compiler reads. */
const SOURCE = /\.[cm]?tsx?$/;
/** The file that makes a folder a skill: all of its files belong to it, sources too. */
const SKILL = 'SKILL.md';

/**
 * Copies everything that is no source. A skill becomes the same in both places: files that are not in its sources are removed.
 * @returns the copied files and skills, relative to the output
 * @throws CliFailure if a file cannot be copied
 */
export function copyFiles({ source, output, tops }: SourceFolders): readonly string[] {
  if (source === output) return [];
  // Where the sources are all of the project, only their own folders count, and not its settings or tests.
  const isProject = existsSync(join(source, 'package.json'));
  const names = namesIn(source).filter((name) => !isProject || (tops.has(name) && isFolder(join(source, name))));
  try {
    return names.flatMap((name) => copy(join(source, name), { source, output }));
  } catch (error) {
    throw failure('SIGIL_COPY_FAILED', { reason: reasonOf(error) });
  }
}

function copy(path: string, { source, output }: Pick<SourceFolders, 'source' | 'output'>): string[] {
  if (path === output) return [];
  const within = relative(source, path);
  const target = join(output, within);
  if (!isFolder(path)) {
    if (SOURCE.test(path)) return [];
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
    return [within];
  }
  if (!existsSync(join(path, SKILL)))
    return namesIn(path).flatMap((name) => copy(join(path, name), { source, output }));
  rmSync(target, { recursive: true, force: true });
  cpSync(path, target, { recursive: true, dereference: true });
  return [within];
}

function namesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .sort();
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
