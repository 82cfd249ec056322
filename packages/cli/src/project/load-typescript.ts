/** The compiler of the user's project, so that errors are the same as in the user's own build, and its settings. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as TypeScript from 'typescript';
import { failure } from '../failure';

/** The compiler's API. */
export type Compiler = typeof TypeScript;

/**
 * Loads the compiler that a project has installed.
 * @throws CliFailure if no compiler is installed
 */
export function loadTypeScript(projectFolder: string): Compiler {
  const require = createRequire(join(projectFolder, 'package.json'));
  let loaded: unknown;
  try {
    loaded = require('typescript');
  } catch {
    throw failure('SIGIL_PROJECT_COMPILER', { folder: projectFolder });
  }
  if (isCompiler(loaded)) return loaded;
  throw failure('SIGIL_PROJECT_COMPILER_API', { folder: projectFolder });
}

function isCompiler(loaded: unknown): loaded is Compiler {
  return typeof loaded === 'object' && loaded !== null && 'createProgram' in loaded;
}

/**
 * The settings of the compiler in a file, with those that it extends.
 * @param host reads files; the system if left out
 * @returns with `mistake`, if the file cannot be parsed
 */
export function readSettings(
  compiler: Compiler,
  path: string,
  host: TypeScript.ParseConfigHost = compiler.sys,
): TypeScript.ParsedCommandLine & { readonly mistake: TypeScript.Diagnostic | undefined } {
  const read: { config?: unknown; error?: TypeScript.Diagnostic } = compiler.readConfigFile(path, (name) =>
    host.readFile(name),
  );
  const parsed = compiler.parseJsonConfigFileContent(read.config ?? {}, host, dirname(path), undefined, path);
  return { ...parsed, mistake: read.error };
}
