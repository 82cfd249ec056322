/** Reads the heads of the built pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesIn } from './judge-site.mjs';

/**
 * @param dist the folder of the site
 * @returns for each page its `path`, `description`, `canonical`, and the `title` and `image` for shared links
 */
export function readHeads(dist) {
  return pagesIn(dist).map((path) => headOf(path, readFileSync(join(dist, path), 'utf8')));
}

function headOf(path, html) {
  const find = (expression) => decode(expression.exec(html)?.[1]);
  return {
    path,
    description: find(/<meta name="description" content="([^"]*)"/),
    canonical: find(/<link rel="canonical" href="([^"]*)"/),
    title: find(/<meta property="og:title" content="([^"]*)"/),
    image: find(/<meta property="og:image" content="([^"]*)"/),
  };
}

function decode(text) {
  return text
    ?.replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
