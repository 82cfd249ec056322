/**
 * Packages that stay outside of a bundle, and that the bundle would not find at its place, or in another version. With pnpm, or if npm has
 * installed two versions, only a package's dependents can find it. The bundle looks for such a package from the dependent's folder.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { OnLoadResult, OnResolveResult } from 'esbuild';

/** The bundler's namespace for the small modules that look for such packages. */
export const ANCHORED = 'anchored-package';

/** An import, and the folder from which it is resolved. */
interface Anchor {
  readonly path: string;
  readonly from: string;
}

/** The folder that Node resolves a package to, from another folder. */
export function findPackage(name: string, from: string): string | undefined {
  for (let place = from; ; place = dirname(place)) {
    const folder = join(place, 'node_modules', name);
    if (existsSync(folder)) return realpathSync(folder);
    if (place === dirname(place)) return undefined;
  }
}

/**
 * Replaces an import by a module that looks for the package.
 * @param path the import: a package, or a file of it
 * @param folder of the package: each has its own module
 * @param from the folder of the importing file
 */
export function anchor(path: string, folder: string, from: string): OnResolveResult {
  const pluginData: Anchor = { path, from };
  return { namespace: ANCHORED, path: `${path} of ${folder}`, pluginData };
}

/** The source of that module. If the bundle runs in another place, the package must be installed next to it. */
export function writeAnchored(anchored: unknown, outfile: string): OnLoadResult {
  // Written by `anchor`; the bundler passes it on unchanged.
  const { path, from } = anchored as Anchor;
  const place = join(relative(realPathOf(dirname(outfile)), realPathOf(from)), 'from-here.js').replaceAll('\\', '/');
  const contents = `
    const at = require('node:path').resolve(__dirname, ${JSON.stringify(place)});
    let load = require('node:module').createRequire(at);
    try { load.resolve(${JSON.stringify(path)}); } catch { load = require; }
    module.exports = load(${JSON.stringify(path)});`;
  return { contents, loader: 'js' };
}

/** Resolves links, also for a folder that does not exist yet. */
function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPathOf(dirname(path)), basename(path));
}
