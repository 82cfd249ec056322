/** The test runner that a project has installed, and how it runs the tests that a file concerns. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isObject } from '@sigil-mcp/base';
import type { OwnProgram } from './own-programs';

/** A test runner. */
export interface TestRunner {
  readonly name: string;
  /** Runs the tests that depend on files, or all without any. */
  readonly programFor: (files: readonly string[]) => OwnProgram;
}

/** The runners by the names of their packages; both follow the imports of the tests. */
const ARGUMENTS: Readonly<Record<string, (files: readonly string[]) => readonly string[]>> = {
  jest: (files) => [...(files.length > 0 ? ['--findRelatedTests', ...files] : []), '--passWithNoTests'],
  vitest: (files) =>
    files.length > 0 ? ['related', '--run', '--passWithNoTests', ...files] : ['run', '--passWithNoTests'],
};

/** @param folder of the project @returns undefined if it has none that is known */
export function findTestRunner(folder: string): TestRunner | undefined {
  const manifest = manifestAt(join(folder, 'package.json'));
  const wanted = { ...objectOf(manifest['dependencies']), ...objectOf(manifest['devDependencies']) };
  for (const [name, argumentsFor] of Object.entries(ARGUMENTS)) {
    const file = Object.hasOwn(wanted, name) ? programOf(name, folder) : undefined;
    if (file !== undefined) return { name, programFor: (files) => ({ file, args: argumentsFor(files) }) };
  }
  return undefined;
}

/** The file behind the name of a command. */
function programOf(name: string, folder: string): string | undefined {
  try {
    const path = createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`);
    const { bin } = manifestAt(path);
    const file = isObject(bin) ? bin[name] : bin;
    return typeof file === 'string' ? join(dirname(path), file) : undefined;
  } catch {
    return undefined; // not installed
  }
}

function manifestAt(path: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
