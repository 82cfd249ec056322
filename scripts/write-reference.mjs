/**
 * `npm run reference`: writes the pages of docs/reference that are generated from the sources. `--check` only compares, and fails if a
 * page is not up to date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { prepare, root, runScript } from './prepare.mjs';

await runScript(async () => {
  await prepare();
  // Imported only after its dependencies are installed.
  const { readExports } = await import('./docs/read-exports.mjs');
  const { writeOptionsPage } = await import('./docs/options-page.mjs');
  const require = createRequire(import.meta.url);
  require('esbuild-register/dist/node').register();
  const { writeRevisionsPage } = require('../test/documents/docs/revisions-page.ts');
  const pages = { 'options.md': writeOptionsPage(readExports(root)), 'revisions.md': await writeRevisionsPage() };
  const stale = Object.entries(pages).filter(([name, text]) => textOf(name) !== text);
  if (stale.length === 0) return say('docs/reference is up to date.', 0);
  const names = stale.map(([name]) => `docs/reference/${name}`).join(', ');
  if (process.argv.includes('--check')) {
    process.stderr.write(`${names} and the sources differ: run \`npm run reference\` and commit the pages.\n`);
    return 1;
  }
  for (const [name, text] of stale) writeFileSync(join(root, 'docs', 'reference', name), text);
  return say(`${names} is written.`, 0);
});

function textOf(name) {
  const file = join(root, 'docs', 'reference', name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function say(line, code) {
  process.stdout.write(`${line}\n`);
  return code;
}
