/**
 * `npm run errors`: writes docs/errors.md from the errors of all packages, and a page for each of them, which git ignores. `--check` only
 * compares, and fails if docs/errors.md is not up to date; `--pages` only writes the pages of single errors.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { writeErrorPages } from './docs/error-pages.mjs';
import { errorGroups } from './error-groups.cjs';
import { writeErrorsPage } from './errors-page.cjs';
import { prepare, root, runScript } from './prepare.mjs';

const page = join(root, 'docs', 'errors.md');

await runScript(async () => {
  await prepare();
  const require = createRequire(import.meta.url);
  require('esbuild-register/dist/node').register();
  const groups = errorGroups(root, 'src', require);
  if (!process.argv.includes('--check')) writeErrorPages(root, groups);
  if (process.argv.includes('--pages')) return 0;
  const written = writeErrorsPage(groups);
  if (existsSync(page) && readFileSync(page, 'utf8') === written) {
    process.stdout.write('docs/errors.md is up to date.\n');
    return 0;
  }
  if (process.argv.includes('--check')) {
    process.stderr.write(
      'docs/errors.md and the errors of the packages differ: run `npm run errors` and commit the page.\n',
    );
    return 1;
  }
  writeFileSync(page, written);
  process.stdout.write('docs/errors.md is written.\n');
  return 0;
});
