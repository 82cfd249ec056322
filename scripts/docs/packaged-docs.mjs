/** The documentation that the command line brings with it, for `sigil docs` and `sigil explain`: packages/cli/dist/docs.json. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Pages for readers of the sources, which no author of a server looks for in a terminal. */
const LEFT_OUT = ['architecture', 'dependencies', 'vulnerabilities', 'performance', 'errors'];

const target = (root) => join(root, 'packages', 'cli', 'dist', 'docs.json');

/** Whether the file is there, and no page and no error was changed since. */
export function isPackaged(root) {
  const written = statSync(target(root), { throwIfNoEntry: false })?.mtimeMs;
  if (written === undefined) return false;
  const docs = join(root, 'docs');
  const pages = readdirSync(docs, { recursive: true }).map((name) => join(docs, name));
  const compiled = join(root, 'packages', 'core', 'dist', 'tsconfig.tsbuildinfo');
  return [...pages.filter((page) => page.endsWith('.md')), compiled].every((path) => statSync(path).mtimeMs < written);
}

/**
 * Writes the file: `{ site, pages: [{ path, title, description, keywords, text }] }`, with the page of each error at `e/<CODE>`.
 * @param root the repository, built
 * @returns whether it has changed
 */
export async function writePackagedDocs(root) {
  // They need what npm installs.
  const [{ parse }, { parts, titleOf }, { siteUrl }, { descriptionOf }, { FRONT_MATTER, pageText }, { errorPages }] =
    await Promise.all([
      import('yaml'),
      import('../../docs/.vitepress/pages.mjs'),
      import('../../docs/.vitepress/site.mjs'),
      import('../../docs/.vitepress/head.mjs'),
      import('./page-text.mjs'),
      import('./error-pages.mjs'),
    ]);
  const guide = parts()
    .flatMap(({ pages }) => pages)
    .filter((page) => !LEFT_OUT.includes(page) && existsSync(join(root, 'docs', `${page}.md`)))
    .filter((page) => !page.startsWith('reference/api/'));
  const described = (path, markdown, title) => {
    const [, yaml = ''] = FRONT_MATTER.exec(markdown) ?? [];
    const { description, keywords = [] } = parse(yaml) ?? {};
    return {
      path,
      title,
      description: description ?? descriptionOf(`${path}.md`, {}, title),
      keywords: keywords.map(String),
      text: pageText(`${path}.md`, markdown),
    };
  };
  const { CATALOGUE_GROUPS } = createRequire(import.meta.url)(
    join(root, 'packages', 'core', 'dist', 'modules', 'errors', 'catalogue.js'),
  );
  const errors = [...errorPages(root, CATALOGUE_GROUPS)].map(([name, text]) => {
    const code = name.slice(0, -'.md'.length);
    return described(`e/${code}`, text, code);
  });
  const pages = guide.map((page) =>
    described(page, readFileSync(join(root, 'docs', `${page}.md`), 'utf8'), titleOf(page)),
  );
  const text = `${JSON.stringify({ site: siteUrl, pages: [...pages, ...errors] })}\n`;
  const isNew = !existsSync(target(root)) || readFileSync(target(root), 'utf8') !== text;
  writeFileSync(target(root), text);
  return isNew;
}
