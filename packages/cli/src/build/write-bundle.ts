/** A bundle on disk: whole, or as it was before. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { failure, reasonOf } from '../failure';
import type { Bundle } from './bundle';

/**
 * Writes the files of a bundle beside their places first, then moves them there.
 * @throws CliFailure where they cannot be written; what was there before is still there then
 */
export function writeBundle({ files }: Bundle): void {
  const ending = `.${process.pid}`;
  const unfinished = files.map(({ path }) => path + ending);
  try {
    for (const [index, { path, contents }] of files.entries()) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(unfinished[index] ?? path, contents);
    }
    for (const path of [...unfinished].sort(mapLast)) renameSync(path, path.slice(0, -ending.length));
  } catch (error) {
    for (const path of unfinished) rmSync(path, { force: true });
    const [first] = files;
    throw failure('SIGIL_BUILD_WRITE', { file: first?.path ?? '', reason: reasonOf(error) });
  }
}

/** A bundle without its new map tells of other lines; a map without its bundle is nothing. */
function mapLast(one: string, other: string): number {
  return one.length - other.length;
}
