/**
 * `npm run decorators`: writes which file of class-validator has which of its decorators to packages/schema/src/rules/decorator-files.ts,
 * from the installed class-validator. Sigil trusts the table only with the version that it was made from, so run this after an update.
 * `--check` only compares, and fails if the file is not up to date.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'packages', 'schema', 'src', 'rules', 'decorator-files.ts');
const require = createRequire(join(root, 'packages', 'schema', 'package.json'));
const list = require.resolve('class-validator/cjs/decorator/decorators');
/** `export * from`, as the compiler writes it. */
const exported = /^__exportStar\(require\("\.\/(.+)"\), exports\);$/gm;

const written = write();
if (readFileSync(target, 'utf8') === written) {
  process.stdout.write(`${relative(root, target)} is up to date.\n`);
} else if (process.argv.includes('--check')) {
  process.stderr.write(
    `${relative(root, target)} is not of the installed class-validator: run \`npm run decorators\`.\n`,
  );
  process.exitCode = 1;
} else {
  writeFileSync(target, written);
  process.stdout.write(`${relative(root, target)} is written.\n`);
}

function write() {
  const { version } = require('class-validator/package.json');
  return `/** Which file of class-validator has which of its decorators. Written by \`npm run decorators\` (scripts/write-decorator-files.mjs). */

/** The version that the table is about. */
export const TABLE_VERSION = '${version}';
/** The size of the file that exports all of the others, in bytes: an installation with changed files differs. */
export const TABLE_SIZE = ${statSync(list).size};
/** A line for each file, in the order of class-validator: its path in \`cjs/decorator\` without the ending, and the names of its exports. */
export const DECORATOR_FILES = \`
${linesOf().join('\n')}
\`;
`;
}

/** If two files have the same name, the first one has it, as with \`export * from\`. */
function linesOf() {
  const load = createRequire(list);
  const known = new Set();
  const paths = [...readFileSync(list, 'utf8').matchAll(exported)].map(([, path]) => path);
  const lines = paths.map((path) => {
    const values = Object.entries(load(`./${path}`)).filter(([name]) => !known.has(name));
    for (const [name, value] of values) {
      if (value === undefined || value === null) throw new Error(`${name} of class-validator has no value.`);
      known.add(name);
    }
    return [path, ...values.map(([name]) => name)].join(' ');
  });
  const missing = Object.keys(load(list)).filter((name) => !known.has(name));
  if (missing.length > 0) throw new Error(`No file of class-validator has ${missing.join(', ')}.`);
  return lines;
}
