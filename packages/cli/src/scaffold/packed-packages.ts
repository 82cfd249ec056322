/** The framework from tarballs instead of the registry: `sigil new --packages <folder>`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failure } from '../failure';
import type { ProjectFile } from '../files/template';

/** The folder for tarballs in a project, so that the project can be moved and built in a container. */
const VENDOR = 'vendor';

/** The packages of Sigil that a project depends on, with their entries in `package.json`. */
export interface SigilPackages {
  /** The range of each package, by its name without scope: `core` -> `^0.1.0` or `file:vendor/sigil-mcp-core-0.1.0.tgz`. */
  readonly ranges: Readonly<Record<string, string>>;
  /** The tarballs, unless the packages come from the registry. */
  readonly files: readonly ProjectFile[];
}

/** The packages of Sigil that each package depends on, as its `package.json` has them. */
export const NEEDED_BY: Readonly<Record<string, readonly string[]>> = {
  apps: ['base', 'core'],
  audit: ['core'],
  contract: ['base', 'core'],
  base: [],
  cli: ['audit', 'base', 'client', 'contract', 'core', 'protocol', 'schema'],
  client: ['base', 'protocol'],
  core: ['base', 'protocol', 'schema'],
  fastify: ['core', 'http', 'protocol'],
  http: ['core', 'protocol'],
  inspector: ['base', 'client', 'protocol', 'schema'],
  install: ['audit', 'base'],
  nest: ['base', 'core', 'http', 'protocol'],
  oauth: ['core'],
  openapi: ['base', 'schema'],
  protocol: ['base'],
  publish: ['base', 'protocol'],
  results: ['core'],
  schema: ['base'],
  skills: ['core'],
  tasks: ['core'],
  testing: ['client', 'core', 'protocol'],
  toolsets: ['base', 'core', 'schema'],
};

/** What `sigil add` and the guides add to a project later: their tarballs are put next to the others, if they are there. */
const ADDED_LATER = ['apps', 'install', 'openapi', 'publish', 'results', 'skills', 'tasks', 'toolsets'];

/** The packages from the registry, by version. */
export function publishedPackages(names: readonly string[], version: string): SigilPackages {
  return { ranges: Object.fromEntries(names.map((name) => [name, `^${version}`])), files: [] };
}

/**
 * The packages from a folder with the output of `npm pack`, with all packages of Sigil that they depend on.
 * @throws CliFailure if the folder lacks a package in this version
 */
export function packedPackages(folder: string, names: readonly string[], version: string): SigilPackages {
  const there = list(folder);
  const tarballs = withNeeded(names).map((name) => ({ name, file: tarballOf(name, version) }));
  const missing = tarballs.filter(({ file }) => !there.includes(file)).map(({ file }) => file);
  if (missing.length > 0) {
    throw failure('SIGIL_NEW_PACKAGES', { folder, files: missing.join(', '), version });
  }
  const later = ADDED_LATER.map((name) => tarballOf(name, version)).filter((file) => there.includes(file));
  const files = [...tarballs.map(({ file }) => file), ...later];
  return {
    ranges: Object.fromEntries(tarballs.map(({ name, file }) => [name, `file:${VENDOR}/${file}`])),
    files: files.map((file) => ({ path: `${VENDOR}/${file}`, text: readFileSync(join(folder, file)) })),
  };
}

function tarballOf(name: string, version: string): string {
  return `sigil-mcp-${name}-${version}.tgz`;
}

/** The names, and those that they need, over any number of others. */
function withNeeded(names: readonly string[]): readonly string[] {
  const all = new Set(names);
  // A set goes on to what is added meanwhile.
  for (const name of all) for (const needed of NEEDED_BY[name] ?? []) all.add(needed);
  return [...all];
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    throw failure('SIGIL_NEW_PACKAGES_FOLDER', { folder });
  }
}
