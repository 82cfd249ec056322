/** The module that a Worker starts with, for a program that was compiled to CommonJS: workerd reads the exports of an ES module. */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { StdinOptions } from 'esbuild';

/** `exports.Sessions = `, as the compiler writes it. */
const EXPORTED = /^[ \t]*exports\.(\w+) = /gm;

/** A module that exports what a CommonJS file does, by the same names: its default export, and classes of Durable Objects. */
export function workerEntry(file: string): StdinOptions {
  const found = [...readFileSync(file, 'utf8').matchAll(EXPORTED)].map(([, name = '']) => name);
  const names = [...new Set(found)].filter((name) => name !== 'default' && name !== '__esModule');
  const lines = [
    `const own = require(${JSON.stringify(`./${basename(file)}`)});`,
    'export default own.default;',
    ...names.map((name) => `const the_${name} = own.${name}; export { the_${name} as ${name} };`),
  ];
  return { contents: lines.join('\n'), resolveDir: dirname(file), sourcefile: 'worker-entry' };
}
