/**
 * Files next to the sources, which compilers leave where they are: skills, views, anything that a program reads at run time. They are copied to
 * the compiled program, so that it finds them where its sources do.
 */
import { existsSync, rmSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { failure } from '../failure';
import { checkInside, writeFailure } from '../write-files';
import type { SourceFolders } from './output-folder';
import { copyListed, programFiles, type LeftOut } from './program-files';

/** What the compiler reads. */
const SOURCE = /\.[cm]?tsx?$/;
/** The file that makes a folder a skill: all of its files belong to it, sources too. */
const SKILL = 'SKILL.md';

/** What was copied, and what was not although a program would look for it. */
export interface CopiedFiles {
  /** Files and skills, relative to the output. */
  readonly copied: readonly string[];
  /** Hidden files of skills, and links out of the sources. */
  readonly left: readonly LeftOut[];
}

/**
 * Copies everything that is no source. A skill becomes the same in both places: files that are not in its sources are removed.
 * @throws CliFailure if a file cannot be copied
 */
export function copyFiles({ source, output, tops }: SourceFolders): CopiedFiles {
  if (source === output) return { copied: [], left: [] };
  // Where the sources are all of the project, only their own folders count, and not its settings or tests.
  const isProject = existsSync(join(source, 'package.json'));
  const isForeign = (path: string, isFolder: boolean): boolean => !path.includes('/') && !(tops.has(path) && isFolder);
  const skillOf = skillFinder(source);
  const isNeedless = (path: string, isFolder: boolean): boolean =>
    (isProject && isForeign(path, isFolder)) ||
    join(source, path) === output ||
    (posix.basename(path) === 'node_modules' && skillOf(path) === undefined);
  try {
    const found = programFiles(source, isNeedless);
    const files = found.files.filter((path) => !SOURCE.test(path) || skillOf(path) !== undefined);
    const copied = [...new Set(files.map((path) => skillOf(path) ?? path))];
    for (const path of copied) {
      checkInside(dirname(join(output, path)), output);
      if (files.every((file) => file !== path)) rmSync(join(output, path), { recursive: true, force: true });
    }
    copyListed(files, { source, target: output });
    const left = found.left.filter(({ path, why }) => why !== 'hidden' || skillOf(path) !== undefined);
    return { copied: copied.map((path) => path.split('/').join(sep)), left };
  } catch (error) {
    throw writeFailure(error, (reason) => failure('SIGIL_COPY_FAILED', { reason }));
  }
}

/** Finds the outermost skill around a path in the sources; undefined for a path outside of skills. */
function skillFinder(source: string): (path: string) => string | undefined {
  const known = new Map<string, boolean>();
  const isSkill = (folder: string): boolean => {
    const found = known.get(folder) ?? existsSync(join(source, folder, SKILL));
    known.set(folder, found);
    return found;
  };
  return (path) => {
    const parts = path.split('/').slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join('/')).find(isSkill);
  };
}
