/** The packages in node_modules: flat, nested, or linked into pnpm's store. */
import { existsSync, readdirSync, realpathSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of a package.json that are read here. */
export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly type?: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A package on disk; links from several places to one package count once. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** Whether an import of the project resolves to this copy. */
  readonly top: boolean;
  readonly manifest: Manifest;
}

/** Packages of which there should be one copy. */
const SHARED = ['reflect-metadata', 'class-validator', 'class-transformer', 'ajv', 'fastify', 'typescript'];

/** @returns every copy of Sigil's packages and of the packages that they share with a project, such as their peers */
export function findInstalled(folder: string): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  const modules = join(folder, 'node_modules');
  for (const path of foldersUnder(modules)) {
    const real = realpathSync(path);
    if (found.has(real)) continue;
    const manifest = readManifest(real);
    const { name = '', version = '' } = manifest;
    found.set(real, { name, version, folder: real, top: path === join(modules, name), manifest });
  }
  const all = [...found.values()];
  const ours = all.filter(({ name }) => name.startsWith('@sigil-mcp/'));
  const peers = ours.flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}));
  const shared = new Set([...SHARED, ...peers]);
  return all.filter((each) => ours.includes(each) || shared.has(each.name));
}

/** Every package below a node_modules folder: scopes are opened, links are not followed further. */
function foldersUnder(modules: string): string[] {
  if (!existsSync(modules)) return [];
  const store = join(modules, '.pnpm');
  const stored = existsSync(store) ? readdirSync(store).map((name) => join(store, name, 'node_modules')) : [];
  const own = readdirSync(modules, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const path = join(modules, entry.name);
      if (entry.name.startsWith('@') && entry.isDirectory()) {
        return readdirSync(path, { withFileTypes: true }).map((each) => ({ entry: each, path: join(path, each.name) }));
      }
      return [{ entry, path }];
    })
    .filter(({ path }) => existsSync(join(path, 'package.json')))
    .flatMap(({ entry, path }) => [path, ...(entry.isSymbolicLink() ? [] : foldersUnder(join(path, 'node_modules')))]);
  return [...own, ...stored.flatMap(foldersUnder)];
}

/** @returns the package.json of a folder */
export function readManifest(folder: string): Manifest {
  // Every field is optional, so a missing one does no harm.
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
