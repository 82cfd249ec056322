/** The public modules of the packages: the entries of their `exports` that have types, each with its source. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '../libraries.mjs';

/**
 * Entries that export names; entries that are imported for their side effects are left out.
 * @returns `{ name: '@sigil-mcp/core/stores', folder: 'core-stores', source: 'packages/core/src/stores/index.ts' }`
 */
export function publicEntries(root) {
  return readdirSync(join(root, 'packages')).flatMap((folder) => {
    const manifest = readManifest(join(root, 'packages', folder));
    return Object.entries(manifest.exports)
      .filter(([, { types }]) => types !== undefined)
      .map(([path, { types }]) => entryOf(manifest.name, path, `packages/${folder}/${sourceOf(types)}`))
      .filter(({ source }) => /^export /m.test(readFileSync(join(root, source), 'utf8')));
  });
}

function entryOf(name, path, source) {
  const whole = path === '.' ? name : `${name}/${path.slice('./'.length)}`;
  return { name: whole, folder: whole.split('/').slice(1).join('-'), source };
}

function sourceOf(types) {
  return types.replace(/^\.\/dist\/(.*)\.d\.ts$/, 'src/$1.ts');
}
