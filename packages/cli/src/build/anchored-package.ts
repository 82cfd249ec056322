/**
 * Packages that stay outside of a bundle, and that a file at its place would not find, or in another version: with pnpm, and where npm
 * has installed a version twice, a package is seen by those alone that depend on it. They are looked for from where they are seen.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { OnLoadResult, OnResolveResult } from 'esbuild';

/** What the bundler calls the small modules that look for such packages. */
export const ANCHORED = 'anchored-package';

/** What is imported, and from which folder it is seen. */
interface Anchor {
  readonly path: string;
  readonly from: string;
}

/** Where Node finds a package, seen from a folder. */
export function findPackage(name: string, from: string): string | undefined {
  for (let place = from; ; place = dirname(place)) {
    const folder = join(place, 'node_modules', name);
    if (existsSync(folder)) return realpathSync(folder);
    if (place === dirname(place)) return undefined;
  }
}

/**
 * Puts a module that looks for a package in its place.
 * @param path what is imported: the package, or a file of it
 * @param folder of the package: each has a module of its own
 * @param from where it is imported
 */
export function anchor(path: string, folder: string, from: string): OnResolveResult {
  const pluginData: Anchor = { path, from };
  return { namespace: ANCHORED, path: `${path} of ${folder}`, pluginData };
}

/** That module. Where the bundle runs in another place, the package is installed beside it. */
export function writeAnchored(anchored: unknown, outfile: string): OnLoadResult {
  // As `anchor` has written it; the bundler hands it on as it is.
  const { path, from } = anchored as Anchor;
  const place = join(relative(realPathOf(dirname(outfile)), realPathOf(from)), 'from-here.js').replaceAll('\\', '/');
  const contents = `
    const at = require('node:path').resolve(__dirname, ${JSON.stringify(place)});
    let load = require('node:module').createRequire(at);
    try { load.resolve(${JSON.stringify(path)}); } catch { load = require; }
    module.exports = load(${JSON.stringify(path)});`;
  return { contents, loader: 'js' };
}

/** Links followed; also of a folder that is not there yet. */
function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPathOf(dirname(path)), basename(path));
}
