/** Reads a project for the checks: the manifest, the compiler settings, the sources, and the installed packages. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as TypeScript from 'typescript';
import { failure } from '../failure';
import { findProject } from '../project/find-project';
import { loadTypeScript, type Compiler } from '../project/load-typescript';
import { findInstalled, type InstalledPackage, readManifest, type Manifest } from './installed-packages';

/** A project as the checks see it. */
export interface ReadSetup {
  readonly folder: string;
  readonly nodeVersion: string;
  readonly manifest: Manifest;
  readonly compiler: Compiler;
  /** The compiler settings, including inherited ones; undefined if there is no tsconfig.json. */
  readonly settings: TypeScript.CompilerOptions | undefined;
  /** The sources, with types. */
  readonly program: TypeScript.Program;
  readonly installed: readonly InstalledPackage[];
}

/**
 * @param from a folder in the project
 * @throws CliFailure if there is no project, or nothing is installed
 */
export function readSetup(from: string): ReadSetup {
  const { folder } = findProject(from);
  if (!existsSync(join(folder, 'package.json'))) {
    throw failure('SIGIL_PROJECT_MANIFEST', { folder });
  }
  if (!existsSync(join(folder, 'node_modules'))) {
    throw failure('SIGIL_PROJECT_NOT_INSTALLED', { folder });
  }
  const compiler = loadTypeScript(folder);
  const parsed = readSettings(compiler, folder);
  // Names can be resolved without the built-in and ambient types.
  const options = { ...parsed?.options, noEmit: true, noLib: true, types: [], skipLibCheck: true };
  return {
    folder,
    nodeVersion: process.versions.node,
    manifest: readManifest(folder),
    compiler,
    settings: parsed?.options,
    program: compiler.createProgram(parsed?.fileNames ?? [], options),
    installed: findInstalled(folder),
  };
}

function readSettings(compiler: Compiler, folder: string): TypeScript.ParsedCommandLine | undefined {
  const path = join(folder, 'tsconfig.json');
  if (!existsSync(path)) return undefined;
  // `types`, `module` and the others, including those from `extends`.
  const read: { config?: unknown; error?: TypeScript.Diagnostic } = compiler.readConfigFile(path, (file) =>
    readFileSync(file, 'utf8'),
  );
  const { config, error } = read;
  if (error) {
    const reason = compiler.flattenDiagnosticMessageText(error.messageText, ' ').replace(/\.$/, '');
    throw failure('SIGIL_PROJECT_FILE', { file: path, reason });
  }
  return compiler.parseJsonConfigFileContent(config, compiler.sys, folder);
}
