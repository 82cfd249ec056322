/** Packages with native addons stay outside: a JavaScript file cannot contain an addon, and packages look for it near their files. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { isObject } from '@sigil-mcp/base';
import { readObject } from '../json-object';
import { ANCHORED, anchor, findPackage, writeAnchored } from './anchored-package';

/** The packages that stay outside, by name, with the reason; undefined if the reason is obvious. */
export type LeftOutside = Map<string, 'native addon' | undefined>;

/** Packages that build, download or find an addon: their dependents have addons. */
const MAKERS: ReadonlySet<string> = new Set([
  'bindings', 'node-gyp-build', 'node-gyp-build-optional-packages', 'pkg-prebuilds', 'prebuild-install', 'detect-libc',
  '@mapbox/node-pre-gyp', 'node-pre-gyp', 'node-addon-api', 'cmake-js', 'nan',
]); // prettier-ignore

/** The package name at the beginning of an import. */
const PACKAGE = /^(?:@[^/]+\/)?[^./@:][^/:]*(?=\/|$)/;

/**
 * Leaves packages with native addons outside.
 * @param left receives their names
 * @param outfile the path of the bundle
 */
export function nativePackages(left: LeftOutside, outfile: string): Plugin {
  const known = new Map<string, boolean>();
  const isKnown = (folder: string): boolean => {
    const found = known.get(folder) ?? isNative(folder);
    known.set(folder, found);
    return found;
  };
  return {
    name: 'native-packages',
    setup(bundler) {
      bundler.onResolve({ filter: /^[^./]/ }, ({ path, kind, resolveDir }) => {
        const [name] = PACKAGE.exec(path) ?? [];
        // A package that the user has named is installed where the bundle runs.
        const isNamed = name !== undefined && left.has(name) && left.get(name) === undefined;
        if (name === undefined || isNamed || kind === 'entry-point') return undefined;
        const folder = findPackage(name, resolveDir);
        if (folder === undefined || !(left.has(name) || isKnown(folder))) return undefined;
        left.set(name, 'native addon');
        const isSeen = findPackage(name, dirname(outfile)) === folder;
        return isSeen ? { path, external: true } : anchor(path, folder, resolveDir);
      });
      bundler.onLoad({ filter: /^/, namespace: ANCHORED }, ({ pluginData }) => writeAnchored(pluginData, outfile));
    },
  };
}

function isNative(folder: string): boolean {
  if (existsSync(join(folder, 'binding.gyp'))) return true;
  const manifest = readObject(join(folder, 'package.json'));
  const main = manifest['main'];
  // napi-rs, which builds addons in Rust, writes `napi`.
  if (manifest['gypfile'] === true || 'napi' in manifest || (typeof main === 'string' && main.endsWith('.node')))
    return true;
  return ['dependencies', 'optionalDependencies'].some((kind) => {
    const names = manifest[kind];
    return isObject(names) && Object.keys(names).some((name) => MAKERS.has(name));
  });
}
