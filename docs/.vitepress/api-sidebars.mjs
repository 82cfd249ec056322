/** The sidebars of the API: the list of all packages, and for the pages of a package the names that it exports, by their kinds. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const API = 'reference/api/';

/** The folder of each kind, with its heading, in the order of their use. */
const KINDS = {
  functions: 'Functions',
  classes: 'Classes',
  interfaces: 'Interfaces',
  'type-aliases': 'Types',
  variables: 'Values',
};

/** Packages that most programs import, in the order of their use; all others follow by name. */
const FIRST = ['core', 'core-stdio', 'core-stores', 'fastify', 'oauth', 'testing', 'redis', 'client', 'http'];

/** With more names, the kinds are closed until a page of theirs is open. */
const SHORT = 25;

/** @param docs the folder of the pages @returns the part with all packages; empty before the pages are generated */
export function apiPart(docs) {
  if (!existsSync(join(docs, API, 'index.md'))) return [];
  const items = packagesIn(docs).map((folder) => ({ text: nameOf(docs, folder), link: `/${API}${folder}/` }));
  return [{ text: 'API', link: `/${API}`, items }];
}

/**
 * @param docs the folder of the pages
 * @returns the sidebar of each package, by the path of its pages
 */
export function packageSidebars(docs) {
  if (!existsSync(join(docs, API, 'index.md'))) return {};
  return Object.fromEntries(packagesIn(docs).map((folder) => [`/${API}${folder}/`, sidebarOf(docs, folder)]));
}

function sidebarOf(docs, folder) {
  const path = `/${API}${folder}/`;
  const kinds = Object.entries(KINDS)
    .map(([kind, text]) => ({ kind, text, names: membersIn(join(docs, API, folder, kind)) }))
    .filter(({ names }) => names.length > 0);
  const isLong = kinds.flatMap(({ names }) => names).length > SHORT;
  const items = kinds.map(({ kind, text, names }) => ({
    text,
    // Without a link, VitePress makes it a button with a button inside of it.
    link: `#${kind}`,
    ...(isLong && { collapsed: true }),
    // Sent with every page, so the common part of the addresses is said once.
    base: path,
    items: names.map(({ text: name, page }) => ({ text: name, link: `${kind}/${page}` })),
  }));
  const back = [
    { text: 'All packages', link: `/${API}` },
    { text: 'Reference', link: '/reference/options' },
  ];
  return [{ text: nameOf(docs, folder), link: path, items }, { items: back }];
}

function packagesIn(docs) {
  const folders = readdirSync(join(docs, API), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  return [...FIRST.filter((name) => folders.includes(name)), ...folders.filter((name) => !FIRST.includes(name))];
}

function membersIn(folder) {
  if (!existsSync(folder)) return [];
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
  // Where two names differ in their case alone, one page has another name than its heading.
  return (
    pages
      // Without type parameters, which a sidebar would show as HTML.
      .map((name) => ({
        text: /^[\w$]+/.exec(headingOf(join(folder, name)) ?? '')?.[0],
        page: name.slice(0, -'.md'.length),
      }))
      .map(({ text, page }) => ({ text: text ?? page, page }))
      .sort((one, other) => one.text.localeCompare(other.text))
  );
}

function nameOf(docs, folder) {
  return headingOf(join(docs, API, folder, 'index.md')) ?? folder;
}

function headingOf(file) {
  return /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.replaceAll('\\', '');
}
