/** Checks the built site: no dead links or anchors, no pages without a link to them, and no large pages. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The largest size of a page without its pictures, in bytes: as text, and compressed with its styles and scripts. */
export const PAGE_BYTES = 200_000;

/**
 * @param dist the folder of the site
 * @param base the path that it is served under
 * @returns `pages`, each with its path and the bytes of its first visit, and `problems`, a sentence each
 */
export function judgeSite(dist, base) {
  const compressed = new Map();
  const pages = pagesIn(dist).map((path) => readPage(dist, path, { base, compressed }));
  const found = new Map(pages.map((page) => [page.path, page]));
  const isThere = (path) => found.has(path) || statSync(join(dist, path), { throwIfNoEntry: false })?.isFile() === true;
  const reached = reach(found);
  const problems = pages.flatMap((page) => [
    ...page.links
      .filter(({ path }) => !isThere(path))
      .map(({ href }) => `${page.path} links to ${href}, which does not exist.`),
    ...page.links
      .filter(({ path, anchor }) => anchor !== '' && found.get(path)?.anchors.has(anchor) === false)
      .map(({ href }) => `${page.path} links to ${href}, which has no such anchor.`),
    ...(reached.has(page.path) ? [] : [`No link leads to ${page.path}.`]),
    ...[page.text, page.bytes]
      .filter((bytes) => bytes > PAGE_BYTES)
      .map((bytes) => `${page.path} has ${bytes} bytes, more than ${PAGE_BYTES}.`),
  ]);
  return { pages, problems: [...new Set(problems)] };
}

/** The files of the pages, without the short addresses of errors, which lead to one. */
export function pagesIn(dist) {
  return readdirSync(dist, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.html') && name !== '404.html' && !name.startsWith('e/'))
    .sort();
}

function readPage(dist, path, { base, compressed }) {
  const html = readFileSync(join(dist, path), 'utf8');
  const assets = [...html.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="([^"]+\.(?:js|css))"/g)].map(
    ([, url]) => url,
  );
  const sizeOf = (url) => {
    const file = url.slice(base.length);
    if (!compressed.has(file)) compressed.set(file, gzipSync(readFileSync(join(dist, file))).length);
    return compressed.get(file);
  };
  const bytes = [...new Set(assets)].map(sizeOf).reduce((sum, size) => sum + size, gzipSync(html).length);
  const links = [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].flatMap(([, href]) => linkOf(path, href, base));
  const anchors = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => decode(id)));
  return { path, text: Buffer.byteLength(html), bytes, links, anchors };
}

/** The file that a link within the site leads to. */
function linkOf(page, href, base) {
  if (/^[a-z]+:/i.test(href)) return [];
  const [target = '', anchor = ''] = decode(href).split('#');
  const whole = target.startsWith(base) ? target.slice(base.length) : posix.join(posix.dirname(page), target);
  const named = target === '' ? page : whole;
  const path = named === '' || named.endsWith('/') ? `${named}index.html` : named;
  return [{ href, path: posix.extname(path) === '' ? `${path}.html` : path, anchor }];
}

function decode(text) {
  return decodeURIComponent(text.replaceAll('&amp;', '&').replaceAll('&quot;', '"'));
}

/** The pages that can be reached from the front page, over any number of links. */
function reach(found) {
  const reached = new Set(['index.html']);
  for (const path of reached) {
    for (const link of found.get(path)?.links ?? []) reached.add(link.path);
  }
  return reached;
}
