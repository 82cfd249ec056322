/**
 * `npm run errors`: writes docs/errors.md and docs/command-errors.md from the errors of all packages, and a page for each of them, which
 * git ignores. `--check` only compares the two, and fails if one is not up to date; `--pages` only writes the pages of single errors.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { writeErrorPages } from './docs/error-pages.mjs';
import { errorGroups } from './error-groups.cjs';
import { writeErrorsPages } from './errors-page.cjs';
import { prepare, root, runScript } from './prepare.mjs';

const docs = join(root, 'docs');

await runScript(async () => {
  await prepare();
  const require = createRequire(import.meta.url);
  require('esbuild-register/dist/node').register();
  const groups = errorGroups(root, 'src', require);
  if (!process.argv.includes('--check')) writeErrorPages(root, groups);
  if (process.argv.includes('--pages')) return 0;
  const stale = [...writeErrorsPages(groups)].filter(([name, text]) => read(name) !== text);
  if (stale.length === 0) {
    process.stdout.write('docs/errors.md and docs/command-errors.md are up to date.\n');
    return 0;
  }
  if (process.argv.includes('--check')) {
    process.stderr.write(
      `docs/${stale[0][0]} and the errors of the packages differ: run \`npm run errors\` and commit the page.\n`,
    );
    return 1;
  }
  for (const [name, text] of stale) {
    writeFileSync(join(docs, name), text);
    process.stdout.write(`docs/${name} is written.\n`);
  }
  return 0;
});

function read(name) {
  const path = join(docs, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
