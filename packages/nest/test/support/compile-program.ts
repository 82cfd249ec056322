/** Compiles a program into a folder in which one version of Nest is installed, beside the package as `npm run build` made it. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '..', '..', '..', '..');
const nestPackage = join(root, 'packages', 'nest');
const folders: string[] = [];

/** The versions of Nest that the repository installs, by the folder that has them. */
export const NESTS: Readonly<Record<'11' | '12', string>> = {
  '11': join(nestPackage, 'node_modules', '@nestjs'),
  '12': join(root, 'node_modules', '@nestjs'),
};

/** The version of Nest in a folder. */
export function versionOf(nest: keyof typeof NESTS): string {
  return (createRequire(__filename)(join(NESTS[nest], 'core', 'package.json')) as { readonly version: string }).version;
}

/** @returns the path of the compiled program */
export function compileProgram(source: string, nest: keyof typeof NESTS): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-nest-')));
  folders.push(folder);
  const modules = join(folder, 'node_modules');
  for (const scope of ['@nestjs', '@sigil-mcp']) mkdirSync(join(modules, scope), { recursive: true });
  for (const name of readdirSync(NESTS[nest])) symlinkSync(join(NESTS[nest], name), join(modules, '@nestjs', name));
  for (const name of readdirSync(join(root, 'packages')).filter((each) => each !== 'nest'))
    symlinkSync(join(root, 'packages', name), join(modules, '@sigil-mcp', name));
  // A copy, because a link would find the Nest of the repository's own package.
  const own = join(modules, '@sigil-mcp', 'nest');
  mkdirSync(own);
  for (const name of ['package.json', 'dist']) cpSync(join(nestPackage, name), join(own, name), { recursive: true });
  for (const name of ['class-validator', 'class-transformer', 'reflect-metadata', 'rxjs'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  const compiled = join(folder, basename(source).replace(/\.mts$/, '.mjs'));
  writeFileSync(compiled, compile(source));
  return compiled;
}

/** Removes all that was compiled. */
export function removePrograms(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

function compile(source: string): string {
  const { outputText } = ts.transpileModule(readFileSync(source, 'utf8'), {
    fileName: join(dirname(source), basename(source)),
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  return outputText;
}
