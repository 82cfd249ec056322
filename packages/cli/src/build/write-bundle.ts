/** Writes a bundle completely, or leaves the old one. */
import { dirname } from 'node:path';
import { failure } from '../failure';
import { checkInside, writeFailure, writeFiles } from '../write-files';
import type { LeftOut } from '../files/program-files';
import { copyBesideFiles } from './beside-files';
import type { Bundle } from './bundle';

/**
 * Writes the files of a bundle, and copies the files next to it.
 * @param folder of the project: no link in it leads the bundle elsewhere
 * @returns what was left out of the copies
 * @throws CliFailure if they cannot be written; the existing files are then unchanged
 */
export function writeBundle({ files, beside }: Bundle, folder: string): readonly LeftOut[] {
  const [first] = files;
  if (!first) return [];
  checkInside(dirname(first.path), folder);
  const left = copyBesideFiles(beside, { folder, target: dirname(first.path) });
  try {
    writeFiles([...files].sort(mapLast), { within: folder });
    return left;
  } catch (error) {
    throw writeFailure(error, (reason) => failure('SIGIL_BUILD_WRITE', { file: first.path, reason }));
  }
}

/** The map is renamed last: a bundle with an old map shows wrong lines, but a map without its bundle is useless. */
function mapLast({ path: one }: { readonly path: string }, { path: other }: { readonly path: string }): number {
  return one.length - other.length;
}
