/** The contents of a bundle: its packages, and the size of each. */
import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { failure } from '../failure';
import { ONLY_ONCE } from '../project/only-once';
import { ANCHORED } from './anchored-package';
import type { LeftOutside } from './native-packages';
import { packageOf } from './package-of';

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
