/** Programs that tests spawn, written in TypeScript with decorators, compiled as a user's compiler would. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as ts from 'typescript';

/** Inside the repository, so that the program finds the built packages by name. */
const folder = join(__dirname, '..', 'node_modules', '.cache', 'sigil-fixtures');

/**
 * Compiles one file to CommonJS.
 * @returns the path of the program; a text that was compiled before is not compiled again
 */
export function compileFixture(path: string): string {
  const source = readFileSync(path, 'utf8');
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 16);
  const target = join(folder, `${basename(path, '.ts')}-${hash}.js`);
  if (existsSync(target)) return target;
  const { outputText } = ts.transpileModule(source, {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  mkdirSync(folder, { recursive: true });
  // Renamed, because another worker may be about to run the same program.
  const unfinished = `${target}.${process.pid}`;
  writeFileSync(unfinished, outputText);
  renameSync(unfinished, target);
  return target;
}
