/** Writes a bundle completely, or leaves the old one. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { failure, reasonOf } from '../failure';
import { copyBesideFiles } from './beside-files';
import type { Bundle } from './bundle';

/**
 * Writes the files of a bundle under temporary names next to their places, then renames them.
 * @throws CliFailure if they cannot be written; the existing files are then unchanged
 */
export function writeBundle({ files, beside }: Bundle): void {
  const ending = `.${process.pid}`;
  const unfinished = files.map(({ path }) => path + ending);
  const [first] = files;
  if (first) copyBesideFiles(beside, dirname(first.path));
  try {
    for (const [index, { path, contents }] of files.entries()) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(unfinished[index] ?? path, contents);
    }
    for (const path of [...unfinished].sort(mapLast)) renameSync(path, path.slice(0, -ending.length));
  } catch (error) {
    for (const path of unfinished) rmSync(path, { force: true });
    throw failure('SIGIL_BUILD_WRITE', { file: first?.path ?? '', reason: reasonOf(error) });
  }
}

/** The map is renamed last: a bundle with an old map shows wrong lines, but a map without its bundle is useless. */
function mapLast(one: string, other: string): number {
  return one.length - other.length;
}
