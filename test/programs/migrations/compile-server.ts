/** Compiles the servers of this folder, as ES modules and as CommonJS, where packages are found. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const folder = join(__dirname, '..', '..', '..', '.sigil', `migrations-${process.pid}`);

/** Takes away what was compiled. */
export const removeCompiled = (): void => rmSync(folder, { recursive: true, force: true });

/**
 * Compiles a server, with its data beside it.
 * @param source its file: an `.mts` is an ES module
 * @returns the program
 */
export function compileServer(source: string): string {
  const isModule = source.endsWith('.mts');
  const place = join(folder, isModule ? 'module' : 'commonjs');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), `{ "type": "${isModule ? 'module' : 'commonjs'}" }`);
  const write = (from: string, to: string): void => {
    const text = readFileSync(join(__dirname, from), 'utf8');
    const compilerOptions = {
      ...{ module: isModule ? ModuleKind.ESNext : ModuleKind.CommonJS, target: ScriptTarget.ES2022 },
      ...{ esModuleInterop: true, experimentalDecorators: true, emitDecoratorMetadata: true },
    };
    writeFileSync(join(place, to), transpileModule(text, { compilerOptions, fileName: 'server.ts' }).outputText);
  };
  const program = source.replace(/\.m?ts$/, '.js');
  write('recipes.ts', 'recipes.js');
  write(source, program);
  return join(place, program);
}
