/** What is in a bundle: which packages, and how much of each. */
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
  /** Where it was found. */
  readonly folder: string;
  /** Of the bundle, that are of it. */
  readonly bytes: number;
}

/** What a bundle has, and what it has not. */
export interface Contents {
  /** The largest first. */
  readonly packages: readonly BundledPackage[];
  /** Packages that stay outside, each with the reason where it is not plain. */
  readonly left: readonly string[];
}

/** Reads what the bundler says of a bundle. @param base the folder that paths are relative to */
export function readContents({ outputs }: Metafile, base: string, left: LeftOutside): Contents {
  const found = new Map<string, BundledPackage>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      // It is no package of the bundle: it looks for one that is not in it.
      if (path.startsWith(`${ANCHORED}:`)) continue;
      const { name, folder } = packageOf(resolve(base, path)) ?? { name: 'this project', folder: base };
      const bytes = (found.get(folder)?.bytes ?? 0) + bytesInOutput;
      found.set(folder, { name, folder, bytes });
    }
  }
  const packages = [...found.values()].sort((one, other) => other.bytes - one.bytes);
  return { packages, left: [...left].map(([name, why]) => (why === undefined ? name : `${name} (${why})`)).sort() };
}

/** @throws CliFailure where a package is in a bundle twice of which there may be one */
export function checkOnce({ packages }: Contents): void {
  for (const name of ONLY_ONCE) {
    const copies = packages.filter((each) => each.name === name);
    if (copies.length < 2) continue;
    throw failure('SIGIL_BUILD_TWICE', { name, places: copies.map(({ folder }) => folder).join(' and ') });
  }
}
