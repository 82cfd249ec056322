/** Where the files of an API stand in a project, and which code of them a person has deleted. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sources, shownPath, type ReadProject } from '@sigil-mcp/cli/kit';
import { failure } from './errors';
import type { CodeReader } from './merge/code-units';
import { LOCK_FILE, readLock, type Lock } from './merge/lock';
import { findRenamedMethods, withRenamedMethods, type RenamedMethod } from './merge/renamed-methods';
import type { ApiNames } from './print/api-names';

/** The place of one API. */
export interface ApiPlace {
  /** Of the API, below the folder of the server's file. */
  readonly folder: string;
  readonly tests: string;
  /** `spec` or `test`. */
  readonly ending: string;
  /** How a test imports a file of the folder. */
  readonly way: string;
  readonly lockPath: string;
  /** With the names of tools that a person has given them. */
  readonly lock: Lock | undefined;
}

/** The place, and the tools that a person has renamed since the last run. */
export interface FoundPlace {
  readonly place: ApiPlace;
  readonly renamed: readonly RenamedMethod[];
}

/** How relative imports end in a project. */
export function importEnding({ esm, server }: ReadProject): string {
  return esm || sources.importsCompiled(server.file.text) ? '.js' : '';
}

/** @throws CliFailure if the folder is taken by something else */
export function findPlace(project: ReadProject, { slug }: Pick<ApiNames, 'slug'>, code: CodeReader): FoundPlace {
  const { folder: root, server } = project;
  const folder = join(dirname(server.file.path), slug);
  const tests = join(root, ['test', 'tests', '__tests__'].find((name) => existsSync(join(root, name))) ?? 'test');
  const names = existsSync(tests) ? readdirSync(tests) : [];
  const hasTest = names.some((name) => name.endsWith('.test.ts')) && !names.some((name) => name.endsWith('.spec.ts'));
  const lockPath = join(folder, LOCK_FILE);
  const lock = readLock(lockPath, shownPath(root, lockPath));
  if (!lock && existsSync(folder) && readdirSync(folder).length > 0)
    throw failure('SIGIL_OPENAPI_UNLOCKED', { folder: shownPath(root, folder) });
  const way = sources.wayTo(tests, join(folder, 'x.ts'), false).replace(/\/x$/, '');
  const renamed = findRenamedMethods(code, { root, folder, lock });
  const known = lock && withRenamedMethods(lock, renamed);
  return { place: { folder, tests, ending: hasTest ? 'test' : 'spec', way, lockPath, lock: known }, renamed };
}

/** The locks of a project: one for each API. */
export function findLocks({ server, folder }: ReadProject): { readonly slug: string; readonly lock: Lock }[] {
  const source = dirname(server.file.path);
  return readdirSync(source, { withFileTypes: true }).flatMap((entry) => {
    const path = join(source, entry.name, LOCK_FILE);
    const lock = entry.isDirectory() ? readLock(path, shownPath(folder, path)) : undefined;
    return lock ? [{ slug: entry.name, lock }] : [];
  });
}

/** The operations whose methods were written, and are not there any more: nobody wants them back. */
export function deletedOperations(
  { folder: root }: ReadProject,
  { folder, lock }: ApiPlace,
  code: CodeReader,
): ReadonlySet<string> {
  const deleted = Object.entries(lock?.operations ?? {}).filter(([, { tool, feature }]) => {
    const path = join(folder, `${feature}.feature.ts`);
    const written = lock?.code[shownPath(root, path)] ?? {};
    const name = Object.keys(written).find((each) => each.endsWith(`.${tool}`));
    if (name === undefined) return false;
    const units = existsSync(path) ? code.unitsOf(readFileSync(path, 'utf8')) : [];
    // The class may have another name now.
    return !units.some((each) => each.name.endsWith(`.${tool}`));
  });
  return new Set(deleted.map(([key]) => key));
}
