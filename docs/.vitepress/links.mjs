/**
 * Links of the pages, which also work on GitHub: links out of `docs` lead to the repository, and headings have the same anchors
 * in both places.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top folder of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { GITHUB_SERVER_URL = 'https://github.com', GITHUB_REPOSITORY = 'sigil-mcp/sigil' } = process.env;

/** The address of the repository, which a GitHub workflow sets. */
export const REPOSITORY = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;

/** The anchor of a heading, as on GitHub. */
export function slugOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** A plugin of markdown-it: links to files outside of `docs` become links to the repository. */
export function linksToRepository(md) {
  md.core.ruler.push('links-to-repository', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== 'link_open') continue;
      const target = outside(token.attrGet('href') ?? '', env.relativePath ?? '');
      if (target !== undefined) token.attrSet('href', target);
    }
  });
}

function outside(href, page) {
  if (/^([a-z]+:|\/|#)/i.test(href)) return undefined;
  const [path = '', anchor] = href.split('#');
  const file = join(root, 'docs', dirname(page), decodeURI(path));
  const place = relative(root, file).split(sep).join('/');
  if (place.startsWith('docs/')) return undefined;
  if (!existsSync(file)) throw new Error(`docs/${page} links to ${href}, and there is no ${place}.`);
  const kind = statSync(file).isDirectory() ? 'tree' : 'blob';
  return `${REPOSITORY}/${kind}/main/${place}${anchor === undefined ? '' : `#${anchor}`}`;
}
