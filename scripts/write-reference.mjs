/**
 * `npm run reference`: writes docs/reference/revisions.md from what servers answer. `--check` only compares, and fails if the page is not up
 * to date, or if the docstring of an option does not describe its default.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { prepare, root, runScript } from './prepare.mjs';

const file = join(root, 'docs', 'reference', 'revisions.md');

await runScript(async () => {
  await prepare();
  // Imported only after its dependencies are installed, and before TypeScript is loaded by another loader.
  const [{ readExports }, { optionsWithoutDefault }] = await Promise.all([
    import('./docs/read-exports.mjs'),
    import('./docs/options-pages.mjs'),
  ]);
  const require = createRequire(import.meta.url);
  require('esbuild-register/dist/node').register();
  const { writeRevisionsPage } = require('../test/documents/docs/revisions-page.ts');
  const text = await writeRevisionsPage();
  const isNew = !existsSync(file) || readFileSync(file, 'utf8') !== text;
  if (process.argv.includes('--check')) return check(isNew, optionsWithoutDefault(readExports(root)));
  if (isNew) writeFileSync(file, text);
  process.stdout.write(`docs/reference/revisions.md is ${isNew ? 'written' : 'up to date'}.\n`);
  return 0;
});

function check(isStale, silent) {
  const problems = [
    ...(isStale ? ['docs/reference/revisions.md and the sources differ: run `npm run reference` and commit it.'] : []),
    ...silent.map((name) => `The docstring of ${name} does not describe the default ("... if left out").`),
  ];
  process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
  return problems.length === 0 ? 0 : 1;
}
