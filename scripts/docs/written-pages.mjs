/**
 * The pages that are written from the sources, which git ignores: docs/errors from the errors of all packages, docs/reference/options from the
 * docstrings. The build writes them.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { errorReference } from './error-pages.mjs';
import { optionsPages } from './options-pages.mjs';
import { putPages } from './put-pages.mjs';
import { readExports } from './read-exports.mjs';

const { errorGroups } = createRequire(import.meta.url)('../error-groups.cjs');

/**
 * Writes the pages that have changed.
 * @param root the repository, built
 */
export function writeWrittenPages(root) {
  putPages(join(root, 'docs', 'errors'), errorReference(root, errorGroups(root, 'dist')));
  putPages(join(root, 'docs', 'reference', 'options'), optionsPages(readExports(root)));
}
