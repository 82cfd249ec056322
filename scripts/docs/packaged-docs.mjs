/** The documentation that the command line brings with it, for `sigil docs` and `sigil explain`: packages/cli/dist/docs.json. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Pages for readers of the sources, which no author of a server looks for in a terminal. */
const LEFT_OUT = ['architecture', 'dependencies', 'vulnerabilities', 'performance'];

/** The folder of the pages with options. */
const OPTIONS = 'reference/options';

const target = (root) => join(root, 'packages', 'cli', 'dist', 'docs.json');

/** Whether the file is there, and no page, no package, no example of an error and none of these scripts was changed since. */
export function isPackaged(root) {
  const written = statSync(target(root), { throwIfNoEntry: false })?.mtimeMs;
  if (written === undefined) return false;
  const sources = [
    ['docs', '.md'],
    [join('docs', '.vitepress'), '.mjs', { recursive: false }],
    [join('scripts', 'docs'), '.mjs'],
    [join('packages', 'core', 'test', 'mistakes'), '.ts'],
  ].flatMap(([folder, ending, options]) =>
    readdirSync(join(root, folder), { recursive: true, ...options })
      // The build of the site writes pages, too.
      .filter((name) => name.endsWith(ending) && !/^(\.vitepress|errors|reference.(api|options))\b/.test(name))
      .map((name) => join(folder, name)),
  );
  const compiled = readdirSync(join(root, 'packages')).map((name) =>
    join('packages', name, 'dist', 'tsconfig.tsbuildinfo'),
  );
  return [...sources, ...compiled.filter((path) => existsSync(join(root, path)))].every(
    (path) => statSync(join(root, path)).mtimeMs < written,
  );
}

/**
 * Writes the file: `{ site, pages: [{ path, title, description, keywords, text }], sections, index, silentWords }`, with the page of each
 * error at `e/<CODE>`. Its links lead to the published site, also in the build of a fork.
 * @param root the repository, built
 * @returns whether it has changed
 */
export async function writePackagedDocs(root) {
  // They need what npm installs.
  const [{ parts, titleOf }, { errorPages }, { packagedSearch }, { writeWrittenPages }] = await Promise.all([
    import('../../docs/.vitepress/pages.mjs'),
    import('./error-pages.mjs'),
    import('./packaged-search.mjs'),
    import('./written-pages.mjs'),
  ]);
  writeWrittenPages(root);
  const addresses = addressesOf(root);
  const guide = parts()
    .flatMap(({ pages }) => pages)
    .filter((page) => !LEFT_OUT.includes(page) && existsSync(join(root, 'docs', `${page}.md`)));
  const options = readdirSync(join(root, 'docs', OPTIONS)).map((name) => `${OPTIONS}/${name.slice(0, -'.md'.length)}`);
  const { errorGroups } = createRequire(import.meta.url)('../error-groups.cjs');
  const errors = [...errorPages(root, errorGroups(root, 'dist'))].map(([name, markdown]) => {
    const code = name.slice(0, -'.md'.length);
    return { path: `e/${code}`, title: code, markdown };
  });
  const pages = await Promise.all(
    [
      ...[...guide, ...options].map((path) => ({
        path,
        title: titleOf(path),
        markdown: readFileSync(join(root, 'docs', `${path}.md`), 'utf8'),
      })),
      ...errors,
    ].map((page) => packagedPage(page, addresses)),
  );
  const text = `${JSON.stringify({ site: addresses.site, pages, ...packagedSearch(root, pages) })}\n`;
  const isNew = !existsSync(target(root)) || readFileSync(target(root), 'utf8') !== text;
  writeFileSync(target(root), text);
  return isNew;
}

/** Where the packages say that they belong: a fork that builds them has other addresses in its environment. */
function addressesOf(root) {
  const { homepage, repository } = JSON.parse(readFileSync(join(root, 'packages', 'cli', 'package.json'), 'utf8'));
  return { site: homepage, repository: repository.url.replace(/^git\+|\.git$/g, '') };
}

async function packagedPage({ path, title, markdown }, addresses) {
  const [{ parse }, { descriptionOf }, { FRONT_MATTER, pageText }] = await Promise.all([
    import('yaml'),
    import('../../docs/.vitepress/head.mjs'),
    import('./page-text.mjs'),
  ]);
  const [, yaml = ''] = FRONT_MATTER.exec(markdown) ?? [];
  const { description, keywords = [] } = parse(yaml) ?? {};
  return {
    path,
    title,
    description: description ?? descriptionOf(`${path}.md`, {}),
    keywords: keywords.map(String),
    text: pageText(`${path}.md`, markdown, addresses),
  };
}
