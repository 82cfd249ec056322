/** The compiler of a user's project: theirs, so that they see what their own build would say. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as TypeScript from 'typescript';
import { CliFailure } from '../failure';

/** The compiler's API. */
export type Compiler = typeof TypeScript;

/**
 * Loads the compiler that a project has installed.
 * @throws CliFailure where there is none
 */
export function loadTypeScript(projectFolder: string): Compiler {
  const require = createRequire(join(projectFolder, 'package.json'));
  let loaded: unknown;
  try {
    loaded = require('typescript');
  } catch {
    throw new CliFailure(
      `The project in ${projectFolder} has no TypeScript.`,
      'Install it there with npm install --save-dev typescript, or name a compiled file.',
    );
  }
  if (isCompiler(loaded)) return loaded;
  throw new CliFailure(
    `The TypeScript in ${projectFolder} has no compiler API.`,
    'Install one that has, with npm install --save-dev typescript@6, or name a compiled file.',
  );
}

function isCompiler(loaded: unknown): loaded is Compiler {
  return typeof loaded === 'object' && loaded !== null && 'createProgram' in loaded;
}
