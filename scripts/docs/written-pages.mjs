/**
 * The pages of the guide that are written from the sources, which git ignores: docs/errors.md and docs/command-errors.md from the errors of
 * all packages, docs/reference/options.md from the docstrings, and a page for each error. The build writes them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { writeErrorPages } from './error-pages.mjs';
import { writeOptionsPage } from './options-page.mjs';
import { readExports } from './read-exports.mjs';

const require = createRequire(import.meta.url);
const { errorGroups } = require('../error-groups.cjs');
const { writeErrorsPages } = require('../errors-page.cjs');

/**
 * Writes the pages that have changed.
 * @param root the repository, built
 */
export function writeWrittenPages(root) {
  const groups = errorGroups(root, 'dist');
  writeErrorPages(root, groups);
  const pages = [...writeErrorsPages(groups), ['reference/options.md', writeOptionsPage(readExports(root))]];
  for (const [name, text] of pages) {
    const path = join(root, 'docs', name);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}
