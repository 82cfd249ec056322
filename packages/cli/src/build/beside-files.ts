/**
 * Files that lie next to the sources of a program, such as `@Skill('./ordering.md')` names: a bundle is one file in another place, so they are
 * copied next to it, and named by their new places.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { failure } from '../failure';
import { copyProgramFiles, type LeftOut } from '../files/program-files';
import { findNamedFiles } from '../project/named-files';
import { checkInside, checkOwnFile, writeFailure } from '../write-files';
import type { Rewrite } from './contents';

/** Absolute path -> its path next to the bundle. */
export type BesideFiles = Map<string, string>;

/** The folder next to a bundle that has them. */
const FOLDER = 'files';

/**
 * Makes what finds them in the text of a module, and gives them new names.
 * @param folder of the project
 * @param found receives them
 */
export function renameBesideFiles(folder: string, found: BesideFiles): Rewrite {
  return (text, module) =>
    // From the end, so that places stay as they are.
    findNamedFiles(text).reduceRight((rest, { path, from, to }) => {
      const place = placeOf(path, { module, folder, found });
      return place === undefined ? rest : `${rest.slice(0, from)}./${place}${rest.slice(to)}`;
    }, text);
}

interface FileNaming {
  readonly module: string;
  readonly folder: string;
  readonly found: BesideFiles;
}

/** The place of a file next to the bundle; undefined if there is no such file. */
function placeOf(path: string, { module, folder, found }: FileNaming): string | undefined {
  const file = findBeside(path, module);
  if (file === undefined) return undefined;
  const within = relative(folder, file)
    .split(sep)
    .filter((part) => part !== '..');
  const place = [FOLDER, ...within].join('/');
  found.set(file, place);
  return place;
}

/**
 * Copies them next to a bundle; a folder becomes the same as its original, without what is no part of a program.
 * @param places the folder of the project, and the folder of the bundle
 * @returns what was left out, by paths in the project
 * @throws CliFailure if one of them is a link out of the project, or cannot be copied
 */
export function copyBesideFiles(
  found: BesideFiles,
  { folder, target }: { readonly folder: string; readonly target: string },
): readonly LeftOut[] {
  for (const file of found.keys()) checkOwnFile(file, folder);
  return [...found].flatMap(([file, place]) => {
    const path = join(target, place);
    try {
      checkInside(path, target);
      const shown = relative(folder, file).split(sep).join('/');
      return copyProgramFiles(file, path).map(({ path: inner, why }) => ({
        path: inner === '' ? shown : `${shown}/${inner}`,
        why,
      }));
    } catch (error) {
      throw writeFailure(error, (reason) => failure('SIGIL_BUILD_WRITE', { file: path, reason }));
    }
  });
}

/** A file next to a compiled module, or else next to its source. */
function findBeside(path: string, module: string): string | undefined {
  return [module, ...sourcesOf(module)].map((from) => resolve(dirname(from), path)).find((file) => existsSync(file));
}

/** The sources of a compiled module, by its source map. */
function sourcesOf(module: string): string[] {
  try {
    const { sourceRoot = '', sources } = JSON.parse(readFileSync(`${module}.map`, 'utf8')) as {
      readonly sourceRoot?: string;
      readonly sources: readonly string[];
    };
    return sources.map((source) => join(dirname(module), sourceRoot, source));
  } catch {
    return [];
  }
}
