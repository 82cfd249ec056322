/** A page of the guide as plain Markdown: for assistants, and for the command line. */
import { posix } from 'node:path';
import { REPOSITORY } from '../../docs/.vitepress/links.mjs';
import { siteUrl } from '../../docs/.vitepress/site.mjs';

/** The settings at the top of a page. */
export const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/;

/**
 * A page without what only the site needs, with links that lead somewhere from anywhere.
 * @param page its path below `docs`
 * @param addresses of the `site` and the `repository` that its links lead to: those of this build if left out
 */
export function pageText(page, markdown, addresses = { site: siteUrl, repository: REPOSITORY }) {
  return `${markdown
    .replace(FRONT_MATTER, '')
    .replace(/^<!--[\s\S]*?-->\n/gm, '')
    .replace(/^<\/?(div|p|StartCommand)\b[^>]*>\n/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(
      /(\]\()(?!https?:|#|\/)([^)\s]+)(\))/g,
      (_, open, target, close) => open + absolute(page, target, addresses) + close,
    )
    .trim()}\n`;
}

function absolute(page, target, { site, repository }) {
  const path = posix.normalize(posix.join(posix.dirname(page), target));
  if (!path.startsWith('../')) return site + path.replace(/^public\//, '');
  return `${repository}/blob/main/${path.slice('../'.length)}`;
}
