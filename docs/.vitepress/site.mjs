/** Facts about the site that several parts of it need: where it is published, and which version of Sigil it describes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY, root } from './links.mjs';

const { DOCS_BASE, DOCS_URL } = process.env;
const [owner, name] = REPOSITORY.split('/').slice(-2);

/** The path under which the site is served: `/`, or `/sigil/` on the pages of a repository. */
export const base = DOCS_BASE ?? '/';

/** The address of the front page, with a slash at the end. Links that leave the site, such as `og:image`, have to be absolute. */
export const siteUrl = `${(DOCS_URL ?? `https://${owner}.github.io/${name}`).replace(/\/+$/, '')}/`;

/** The version of the packages, which all have the same. */
export const version = JSON.parse(readFileSync(join(root, 'lerna.json'), 'utf8')).version;

/** The address of a page: `how-to/errors.md` is at `how-to/errors`. */
export function urlOf(relativePath) {
  return siteUrl + relativePath.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '');
}
