/** The project that a file belongs to, the file that starts its server, and packages that are found there by their names. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve, relative, sep } from 'node:path';
import { isObject } from '@sigil-mcp/base';
import { codeOf, failure, reasonOf, wrongUsage } from '../failure';

/** Packages that a program may load only once, because they hold metadata, or classes that are compared. */
export const ONLY_ONCE: readonly string[] = [
  'reflect-metadata',
  'class-validator',
  'class-transformer',
  '@sigil-mcp/core',
];

/** A folder with a package.json. */
export interface Project {
  readonly folder: string;
  /** The `main` of package.json. */
  readonly main: string | undefined;
  /** Whether its `.js` and `.ts` files are ES modules. */
  readonly esm: boolean;
}

/** The files that may define or start a project's server. Sources come first, because built files may be outdated. */
const SOURCES = ['src/server.ts', 'src/main.ts'];
const BUILT = ['dist/main.js'];

/** The nearest folder with a package.json, from a folder upwards; the folder itself if none is found. */
export function findProject(from: string): Project {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return { folder, ...readManifest(manifest) };
    if (folder === dirname(folder)) return { folder: resolve(from), main: undefined, esm: false };
  }
}

/** The folder of the project of a file; without a file, of the current folder. */
export function folderOf(file: string | undefined, cwd: string): string {
  return findProject(file === undefined ? cwd : dirname(file)).folder;
}

/**
 * The file for inspecting the server of a project.
 * @throws CliFailure if no such file is found
 */
export function findEntry(from: string): string {
  return findFirst(from, SOURCES);
}

/** Another file of the same project that may define or start its server. */
export function findOther(file: string): string | undefined {
  const { folder } = findProject(dirname(file));
  return SOURCES.map((path) => resolve(folder, path)).find((path) => path !== file && existsSync(path));
}

/**
 * The file that starts the server of a project.
 * @throws CliFailure if no such file is found
 */
export function findMain(from: string): string {
  return findFirst(from, [...SOURCES].reverse());
}

/** Whether there is such a file. */
export function hasEntry(from: string): boolean {
  return lookFor(from, SOURCES).found !== undefined;
}

function findFirst(from: string, sources: readonly string[]): string {
  const { found, folder, candidates } = lookFor(from, sources);
  if (found !== undefined) return found;
  throw wrongUsage('SIGIL_PROJECT_SERVER', { folder, candidates: candidates.join(', no ') });
}

function lookFor(
  from: string,
  sources: readonly string[],
): { readonly folder: string; readonly candidates: readonly string[]; readonly found: string | undefined } {
  const { folder, main } = findProject(from);
  const candidates = [...sources, ...(main === undefined ? [] : [main]), ...BUILT];
  const found = candidates.map((path) => resolve(folder, path)).find((path) => existsSync(path));
  return { folder, candidates, found };
}

function readManifest(manifest: string): Pick<Project, 'main' | 'esm'> {
  // Reading a pipe would wait for ever, and no signal is heard meanwhile.
  if (!statSync(manifest).isFile()) throw failure('SIGIL_PROJECT_FILE', { file: manifest, reason: 'it is not a file' });
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(manifest, 'utf8'));
  } catch (error) {
    throw failure('SIGIL_PROJECT_FILE', { file: manifest, reason: `it is not JSON (${reasonOf(error)})` });
  }
  const { main, type } = isObject(content) ? content : {};
  return { main: typeof main === 'string' ? main : undefined, esm: type === 'module' };
}

/** @returns the path below the project, with slashes */
export function shownPath(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/');
}

/** The file from which the command line finds what is installed next to it. */
export const OWN_PLACE = __filename;

/** @param from files that would import it @returns what it exports; undefined if none of them can */
export function loadPackage<Loaded>(name: string, from: readonly string[]): Loaded | undefined {
  for (const file of from) {
    try {
      // What its entry exports.
      return createRequire(file)(name) as Loaded;
    } catch (error) {
      const isAway = codeOf(error) === 'MODULE_NOT_FOUND' && reasonOf(error).includes(`Cannot find module '${name}'`);
      if (!isAway) throw error;
    }
  }
  return undefined;
}
