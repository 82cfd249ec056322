/** The public modules of the packages: the entries of their `exports` that have types, each with its source. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '../libraries.mjs';

/**
 * Entries that export names; entries that are imported for their side effects are left out.
 * @returns `{ name: '@sigil-mcp/core/stores', folder: 'core-stores', source: 'packages/core/src/stores/index.ts', about }`, where `about` is the
 *   first sentence of the source
 * @param isWanted of which names: of all, if left out
 */
export function publicEntries(root, isWanted = () => true) {
  return readdirSync(join(root, 'packages')).flatMap((folder) => {
    const manifest = readManifest(join(root, 'packages', folder));
    return Object.entries(manifest.exports)
      .filter(([, { types }]) => types !== undefined)
      .map(([path, { types }]) => entryOf(manifest.name, path, `packages/${folder}/${sourceOf(types)}`))
      .filter(({ name }) => isWanted(name))
      .map((entry) => ({ ...entry, text: readFileSync(join(root, entry.source), 'utf8') }))
      .filter(({ text }) => /^export /m.test(text))
      .map(({ text, ...entry }) => ({ ...entry, about: firstSentence(text) }));
  });
}

/** Packages whose names reach users through other packages or as commands, and entries for the other packages of Sigil alone. */
const INNER =
  /^@sigil-mcp\/(?:(?:base|protocol|schema|create|cli|inspector|install|migrate|openapi|publish)(?:\/|$)|.*\/(?:internal$|.*-thread$))/;

/** The public entries that programs of users import. */
export function userEntries(root) {
  return publicEntries(root, (name) => !INNER.test(name));
}

function entryOf(name, path, source) {
  const whole = path === '.' ? name : `${name}/${path.slice('./'.length)}`;
  return { name: whole, folder: whole.split('/').slice(1).join('-'), source };
}

function sourceOf(types) {
  return types.replace(/^\.\/dist\/(.*)\.d\.ts$/, 'src/$1.ts');
}

function firstSentence(text) {
  const [, comment = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(text) ?? [];
  const plain = comment.replace(/^ *\*/gm, '').replace(/\s+/g, ' ').trim();
  return /^.*?[.](?= |$)/.exec(plain)?.[0] ?? plain;
}
