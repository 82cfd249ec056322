/** The members of the workspace: packages and apps, by their folders, and which of them need which. Uses only Node. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from './libraries.mjs';

/** The folders of all packages and apps: `packages/core`, `apps/weather`. */
export function allMembers(root) {
  return ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(join(root, folder, 'package.json'))),
  );
}

/** These members and every member that they depend on to be built and to run. */
export function withNeeded(root, folders) {
  const byName = new Map(allMembers(root).map((folder) => [readManifest(join(root, folder)).name, folder]));
  const needed = new Set();
  const add = (folder) => {
    if (needed.has(folder)) return;
    needed.add(folder);
    for (const name of Object.keys(readManifest(join(root, folder)).dependencies ?? {})) {
      if (byName.has(name)) add(byName.get(name));
    }
  };
  folders.forEach(add);
  return [...needed].sort();
}
