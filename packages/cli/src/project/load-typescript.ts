/** The compiler of the user's project, so that errors are the same as in the user's own build. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
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
