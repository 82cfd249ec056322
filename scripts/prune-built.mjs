/** Removes compiled files of sources that were moved or deleted; the compiler leaves them behind, and they would be published. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isLibrary } from './libraries.mjs';

/** In libraries, `bundle.mjs` writes and prunes the JavaScript, because the compiler's modules are elsewhere. */
const TYPES = /\.d\.ts(?:\.map)?$/;
const BUILT = /(?:\.d\.ts|\.js)(?:\.map)?$/;

/** Removes files in `dist` of each package and app that have no source in `src`. Returns the number of files. */
export function pruneBuilt(root) {
  return ['packages', 'apps']
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(root, parent, name)))
    .reduce((count, folder) => count + pruneFolder(folder), 0);
}

function pruneFolder(folder) {
  const dist = join(folder, 'dist');
  if (!isLibrary(folder)) return prune(folder, dist, BUILT);
  return prune(folder, dist, TYPES) + prune(folder, join(dist, 'modules'), BUILT);
}

function prune(folder, dist, built) {
  if (!existsSync(dist) || !existsSync(join(folder, 'src'))) return 0;
  const stale = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && built.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !existsSync(join(folder, 'src', relative(dist, file).replace(built, '.ts'))));
  for (const file of stale) rmSync(file);
  return stale.length;
}
