/** Whether the libraries have to be bundled again: a cheap check, which every command of the repository makes. */
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLibrary } from './libraries.mjs';

const noteOf = (root) => join(root, '.sigil', 'bundled');

/** Records the time at which everything is bundled. */
export function noteBundled(root, at) {
  mkdirSync(join(root, '.sigil'), { recursive: true });
  writeFileSync(noteOf(root), '');
  utimesSync(noteOf(root), at, at);
}

/** Whether all bundles exist and are newer than their sources. */
export function isBundled(root) {
  const at = writtenAt(noteOf(root));
  if (at === undefined) return false;
  const names = readdirSync(join(root, 'packages'));
  const bundles = names.filter((name) => isLibrary(join(root, 'packages', name)));
  if (!bundles.every((name) => existsSync(join(root, 'packages', name, 'dist', `${name}.js`)))) return false;
  return sourcesOf(root, names).every((path) => (writtenAt(path) ?? 0) < at);
}

/** The compiler records when it has compiled a package. An installation may bring another bundler, and removes the programs. */
function sourcesOf(root, names) {
  const own = names.flatMap((name) =>
    ['package.json', 'tsconfig.json', join('dist', 'tsconfig.tsbuildinfo')].map((file) => join('packages', name, file)),
  );
  const scripts = ['bundle.mjs', 'bundled.mjs', 'libraries.mjs', 'page-bundles.mjs'].map((name) =>
    join('scripts', name),
  );
  return [...own, ...scripts, join('node_modules', '.package-lock.json')].map((path) => join(root, path));
}

function writtenAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
