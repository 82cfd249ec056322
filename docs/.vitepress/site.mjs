/** Facts about the site: its address, and the version of Sigil that it describes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY, root } from './links.mjs';
import { commandsOf, PACKAGE_MANAGERS } from './markdown/package-managers.mjs';

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

/** Whether the packages are published on npm: the changelog then has a heading for their version. */
export const isReleased = /^## \[?\d/m.test(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));

/** The command that creates a project, as in the quick start, for each package manager. */
export const startCommands = PACKAGE_MANAGERS.map((manager) => ({
  manager,
  command: commandsOf(manager, 'npm create @sigil-mcp@latest notes -- --yes'),
}));

/** Its replacement before the first release, when the packages come from a clone; undefined after it. */
export const cloneCommand = isReleased
  ? undefined
  : `git clone ${REPOSITORY} && cd sigil && npm run new -- ../notes --yes`;
