/** Programs that tests spawn, written in TypeScript with decorators, compiled as a user's compiler would. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import * as ts from 'typescript';

/** Inside the repository, so that the program finds the built packages by name. */
const folder = join(__dirname, '..', '..', 'node_modules', '.cache', 'sigil-fixtures');

/**
 * Compiles one file to CommonJS.
 * @returns the path of the program; a text that was compiled before is not compiled again
 */
export function compileFixture(path: string): string {
  const source = readFileSync(path, 'utf8');
  const target = join(folder, `${basename(path, '.ts')}-${digestOf([source])}.js`);
  if (existsSync(target)) return target;
  mkdirSync(folder, { recursive: true });
  // Renamed, because another worker may be about to run the same program.
  const unfinished = `${target}.${process.pid}`;
  writeFileSync(unfinished, compile(path, source));
  renameSync(unfinished, target);
  return target;
}

/**
 * Compiles every file of a folder to CommonJS, for programs of several files.
 * @returns the folder of the programs; texts that were compiled before are not compiled again
 */
export function compileFixtures(path: string): string {
  const sources = readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')] as const);
  const target = join(folder, `${basename(path)}-${digestOf(sources.flat())}`);
  if (existsSync(target)) return target;
  mkdirSync(folder, { recursive: true });
  const unfinished = mkdtempSync(`${target}.`);
  for (const [name, source] of sources)
    writeFileSync(join(unfinished, name.replace(/\.ts$/, '.js')), compile(join(path, name), source));
  try {
    renameSync(unfinished, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return target;
}

function compile(path: string, source: string): string {
  const { outputText } = ts.transpileModule(source, {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  return outputText;
}

function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16);
}
