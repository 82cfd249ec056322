/** Whether the libraries have to be bundled again: a cheap check, which every command of the repository makes. */
import { existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isLibrary } from './libraries.mjs';

const noteOf = (root, folder) => join(root, '.sigil', 'bundles', basename(folder));

/** Records the time at which a package was bundled. */
export function noteBundled(root, folder, at) {
  mkdirSync(join(root, '.sigil', 'bundles'), { recursive: true });
  writeFileSync(noteOf(root, folder), '');
  utimesSync(noteOf(root, folder), at, at);
}

/** Whether all bundles of these packages (`packages/core`) exist and are newer than their sources. */
export function isBundled(root, folders) {
  return folders.filter((folder) => isLibrary(join(root, folder))).every((folder) => isPackageBundled(root, folder));
}

function isPackageBundled(root, folder) {
  const at = writtenAt(noteOf(root, folder));
  if (at === undefined || !existsSync(join(root, folder, 'dist', `${basename(folder)}.js`))) return false;
  return sourcesOf(root, folder).every((path) => (writtenAt(path) ?? 0) < at);
}

/** The compiler records when it has compiled a package. An installation may bring another bundler, and removes the programs. */
function sourcesOf(root, folder) {
  const own = ['package.json', 'tsconfig.json', join('dist', 'tsconfig.tsbuildinfo')].map((file) => join(folder, file));
  const scripts = ['bundle.mjs', 'bundled.mjs', 'libraries.mjs', 'page-bundles.mjs'].map((name) =>
    join('scripts', name),
  );
  return [...own, ...scripts, join('node_modules', '.package-lock.json')].map((path) => join(root, path));
}

function writtenAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
