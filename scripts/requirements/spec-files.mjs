/** The spec files of the repository, which jest runs: under packages, apps and test. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Absolute paths, in a stable order. */
export function specFiles(root) {
  const members = ['packages', 'apps'].flatMap((folder) => foldersIn(join(root, folder)));
  return [join(root, 'test'), ...members.map((member) => join(member, 'test'))]
    .filter(existsSync)
    .flatMap(specsIn)
    .sort();
}

function foldersIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

function specsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : specsIn(path);
    return entry.name.endsWith('.spec.ts') ? [path] : [];
  });
}
