/** The contents of a bundle: its packages, and the size of each. */
import { resolve, dirname, join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { failure } from '../failure';
import { ONLY_ONCE } from '../project/find-project';
import { ANCHORED } from './anchored-package';
import type { LeftOutside } from './native-packages';
import { readFileSync } from 'node:fs';
import { readObject } from '../json-object';

/** A package: of node_modules, or the nearest folder whose package.json has a name. */
interface FoundPackage {
  readonly name: string;
  readonly folder: string;
}

/** The folder of an installed package. The cache of compiled programs is in node_modules too, but is not a package. */
const INSTALLED = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^.\\/][^\\/]*)/;

/** Changes the text of a module. @param path of the module */
export type Rewrite = (text: string, path: string) => string;

/** A package in a bundle. */
export interface BundledPackage {
  readonly name: string;
  /** The folder of the package. */
  readonly folder: string;
  /** Its bytes in the bundle. */
  readonly bytes: number;
}

/** The packages inside and outside of a bundle. */
export interface Contents {
  /** The largest first. */
  readonly packages: readonly BundledPackage[];
  /** Packages that stay outside, with the reason if it is not obvious. */
  readonly left: readonly string[];
}

/** Reads the bundler's metadata. @param base the folder that paths are relative to */
export function readContents({ outputs }: Metafile, base: string, left: LeftOutside): Contents {
  const found = new Map<string, BundledPackage>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      // It is not a package of the bundle: it looks for one outside.
      if (path.startsWith(`${ANCHORED}:`)) continue;
      const { name, folder } = packageOf(resolve(base, path)) ?? { name: 'this project', folder: base };
      const bytes = (found.get(folder)?.bytes ?? 0) + bytesInOutput;
      found.set(folder, { name, folder, bytes });
    }
  }
  const packages = [...found.values()].sort((one, other) => other.bytes - one.bytes);
  return { packages, left: [...left].map(([name, why]) => (why === undefined ? name : `${name} (${why})`)).sort() };
}

/** @throws CliFailure if a package is included twice that may exist only once */
export function checkOnce({ packages }: Contents): void {
  for (const name of ONLY_ONCE) {
    const copies = packages.filter((each) => each.name === name);
    if (copies.length < 2) continue;
    throw failure('SIGIL_BUILD_TWICE', { name, places: copies.map(({ folder }) => folder).join(' and ') });
  }
}

/** Rewrites the modules of the project; packages are left as they are. */
export function ownModules(...rewrites: readonly Rewrite[]): Plugin {
  return {
    name: 'own-modules',
    setup(bundler) {
      bundler.onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
        if (installedPackageOf(path)) return undefined;
        const text = readFileSync(path, 'utf8');
        const contents = rewrites.reduce((rest, rewrite) => rewrite(rest, path), text);
        return contents === text ? undefined : { contents, loader: 'js' };
      });
    },
  };
}

/** Finds the package in node_modules that a file belongs to, if any. */
export function installedPackageOf(file: string): FoundPackage | undefined {
  const [folder, name] = INSTALLED.exec(file) ?? [];
  return folder !== undefined && name !== undefined ? { name: name.replaceAll('\\', '/'), folder } : undefined;
}

/** Finds the package around a file, if any. */
export function packageOf(file: string): FoundPackage | undefined {
  const installed = installedPackageOf(file);
  if (installed) return installed;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const { name } = readObject(join(folder, 'package.json'));
    if (typeof name === 'string') return { name, folder };
    if (folder === dirname(folder)) return undefined;
  }
}
