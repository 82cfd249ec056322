/** Compiles files of a project, with everything that they import, to a separate folder. Type errors are ignored. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type * as TypeScript from 'typescript';
import { writeNewFile } from '../../new-file';
import { ELSEWHERE, openCache } from '../../project/compile-project';
import type { Compiler } from '../../project/load-typescript';

/** The compiled files. */
export interface EmittedClasses {
  /** The folder, which the caller removes. */
  readonly folder: string;
  /** The compiled file of each source. */
  readonly files: ReadonlyMap<string, string>;
  /** The target of each import by the compiler's settings: compiled file -> imported name -> compiled file. */
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The folder of a project, and its settings of the compiler. */
interface SettledFolder {
  readonly folder: string;
  readonly settings: TypeScript.CompilerOptions | undefined;
}

/** Compiles files to CommonJS, with the types of decorated members. */
export function emitClasses(compiler: Compiler, project: SettledFolder, sources: readonly string[]): EmittedClasses {
  const folder = mkdtempSync(join(openCache(project.folder), 'dtos-'));
  const options = optionsOf(compiler, project, folder);
  const program = compiler.createProgram([...sources], options);
  const files = new Map<string, string>();
  program.emit(undefined, (...[path, text, , , from]: Parameters<TypeScript.WriteFileCallback>) => {
    writeNewFile(path, text);
    for (const { fileName } of from ?? []) files.set(fileName, path);
  });
  writeNewFile(join(folder, 'package.json'), '{"type":"commonjs"}');
  return { folder, files, imports: importsOf(compiler, program, files) };
}

function optionsOf(
  compiler: Compiler,
  { folder: rootDir, settings = {} }: SettledFolder,
  outDir: string,
): TypeScript.CompilerOptions {
  const own = { ...settings };
  for (const name of ELSEWHERE) delete own[name];
  return {
    ...own,
    ...WRITTEN,
    target: own.target ?? compiler.ScriptTarget.ES2022,
    rootDir,
    outDir,
    module: compiler.ModuleKind.CommonJS,
    moduleResolution: compiler.ModuleResolutionKind.Node10,
  };
}

/** Emits all files, even with errors, and nothing else. */
const WRITTEN: TypeScript.CompilerOptions = {
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  resolveJsonModule: true,
  ignoreDeprecations: '6.0',
  skipLibCheck: true,
  noEmit: false,
  noEmitOnError: false,
  emitDeclarationOnly: false,
  declaration: false,
  declarationMap: false,
  sourceMap: false,
  inlineSources: false,
  incremental: false,
  composite: false,
  verbatimModuleSyntax: false,
  allowImportingTsExtensions: false,
};

function importsOf(
  compiler: Compiler,
  program: TypeScript.Program,
  files: EmittedClasses['files'],
): EmittedClasses['imports'] {
  const host = compiler.createCompilerHost(program.getCompilerOptions());
  const entries = [...files].map(([source, compiled]): [string, Record<string, string>] => {
    const names = compiler.preProcessFile(program.getSourceFile(source)?.text ?? '').importedFiles;
    const found = names.flatMap(({ fileName }): [string, string][] => {
      const { resolvedModule } = compiler.resolveModuleName(fileName, source, program.getCompilerOptions(), host);
      const target = resolvedModule && files.get(resolvedModule.resolvedFileName);
      return target === undefined ? [] : [[fileName, target]];
    });
    return [compiled, Object.fromEntries(found)];
  });
  return Object.fromEntries(entries);
}
