/** TypeScript with decorators -> a program that finds the built packages, compiled before anything is measured. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const folder = fileURLToPath(new URL('../../../node_modules/.cache/sigil-bench/', import.meta.url));

/** @returns the path of the compiled program */
export function compileServer(name, source) {
  const { CommonJS: module } = ts.ModuleKind;
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  };
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.js`);
  writeFileSync(path, ts.transpileModule(source, { compilerOptions }).outputText);
  return path;
}
