/**
 * Files that lie next to the sources of a program, such as `@Skill('./ordering.md')` names: a bundle is one file in another place, so they are
 * copied next to it, and named by their new places.
 */
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { failure, reasonOf } from '../failure';
import type { Rewrite } from './own-modules';

/** Absolute path -> its path next to the bundle. */
export type BesideFiles = Map<string, string>;

/** The folder next to a bundle that has them. */
const FOLDER = 'files';
/** `@Skill('./x')`, `@View('ui://x', { file: './x' })` and `skills({ folders: ['./x'] })`, as compilers write them. */
const CALLS = [
  /\bSkill\)?\(\s*(["'`])\.\.?\/[^"'`\n$]*\1/g,
  /\bView\)?\((?:[^()]|\([^()]*\))*?\bfile:\s*(["'`])\.\.?\/[^"'`\n$]*\1/g,
  /\bskills\)?\(\{[^()]*?\bfolders:\s*\[[^\]]*\]/g,
];
const LITERAL = /(["'`])(\.\.?\/[^"'`\n$]*)\1/g;

/**
 * Makes what finds them in the text of a module, and gives them new names.
 * @param folder of the project
 * @param found receives them
 */
export function renameBesideFiles(folder: string, found: BesideFiles): Rewrite {
  return (text, module) =>
    CALLS.reduce((rest, call) => rest.replaceAll(call, (whole) => renamed(whole, { module, folder, found })), text);
}

interface Naming {
  readonly module: string;
  readonly folder: string;
  readonly found: BesideFiles;
}

function renamed(call: string, { module, folder, found }: Naming): string {
  return call.replaceAll(LITERAL, (literal: string, quote: string, path: string) => {
    const file = findBeside(path, module);
    if (file === undefined) return literal;
    const within = relative(folder, file)
      .split(sep)
      .filter((part) => part !== '..');
    const place = [FOLDER, ...within].join('/');
    found.set(file, place);
    return `${quote}./${place}${quote}`;
  });
}

/** Copies them next to a bundle; a folder becomes the same as its original. */
export function copyBesideFiles(found: BesideFiles, target: string): void {
  for (const [file, place] of found) {
    const path = join(target, place);
    try {
      rmSync(path, { recursive: true, force: true });
      cpSync(file, path, { recursive: true, dereference: true });
    } catch (error) {
      throw failure('SIGIL_BUILD_WRITE', { file: path, reason: reasonOf(error) });
    }
  }
}

/** A file next to a compiled module, or else next to its source. */
function findBeside(path: string, module: string): string | undefined {
  return [module, ...sourcesOf(module)].map((from) => resolve(dirname(from), path)).find((file) => existsSync(file));
}

/** The sources of a compiled module, by its source map. */
function sourcesOf(module: string): string[] {
  try {
    const { sourceRoot = '', sources } = JSON.parse(readFileSync(`${module}.map`, 'utf8')) as {
      readonly sourceRoot?: string;
      readonly sources: readonly string[];
    };
    return sources.map((source) => join(dirname(module), sourceRoot, source));
  } catch {
    return [];
  }
}
