/**
 * `npm run lock`: compiles the lock of packages/audit to scripts/file-lock.mjs, for the set-up of the repository, which runs before anything is
 * installed or built. `--check` only compares, and fails if the file is not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = 'packages/audit/src/lock/file-lock.ts';
const target = join(root, 'scripts', 'file-lock.mjs');

const compiled = ts.transpileModule(readFileSync(join(root, source), 'utf8'), {
  compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, removeComments: true },
}).outputText;
const head = `/** Compiled from ${source} by \`npm run lock\`. */\n`;
const written = await format(head + compiled, { ...(await resolveConfig(target)), parser: 'babel' });

if (readFileSync(target, { encoding: 'utf8', flag: 'a+' }) === written) {
  process.stdout.write('scripts/file-lock.mjs is up to date.\n');
} else if (process.argv.includes('--check')) {
  process.stderr.write(`scripts/file-lock.mjs is not that of ${source}: run \`npm run lock\`.\n`);
  process.exitCode = 1;
} else {
  writeFileSync(target, written);
  process.stdout.write('scripts/file-lock.mjs is written.\n');
}
