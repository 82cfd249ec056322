/**
 * The files for AI assistants: each page as Markdown, `llms.txt` (an overview), `llms-full.txt` (the whole guide) and
 * `llms-small.txt` (enough to write a server).
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { descriptionOf } from '../../docs/.vitepress/head.mjs';
import { parts, titleOf } from '../../docs/.vitepress/pages.mjs';
import { siteUrl } from '../../docs/.vitepress/site.mjs';
import { FRONT_MATTER, pageText } from './page-text.mjs';

/** The page that is enough to write a server. */
const SMALL = 'one-page';

/** Pages that are long and not needed to write a server: `llms-full.txt` leaves them out. */
const LEFT_OUT = ['architecture', 'dependencies', 'performance', 'reliability', 'vulnerabilities', SMALL];

/**
 * Writes all these files.
 * @param root the repository
 * @param dist the folder of the site
 */
export function writeAssistantFiles(root, dist) {
  const docs = join(root, 'docs');
  const pages = readdirSync(docs, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md') && !name.startsWith('.vitepress/'));
  for (const page of pages) write(join(dist, page), pageText(page, readFileSync(join(docs, page), 'utf8')));
  // The pages of the site have copies with a digest in their names; those in Markdown link to these.
  cpSync(join(docs, 'pictures'), join(dist, 'pictures'), { recursive: true, filter: (path) => !path.endsWith('.txt') });
  const read = (page) => readFileSync(join(dist, `${page}.md`), 'utf8');
  write(join(dist, 'llms-small.txt'), read(SMALL));
  write(join(dist, 'llms.txt'), listOf(docs));
  const whole = parts().flatMap((part) => part.pages.filter((page) => !LEFT_OUT.includes(page)));
  write(join(dist, 'llms-full.txt'), whole.map((page) => `<!-- ${siteUrl}${page} -->\n\n${read(page)}`).join('\n\n'));
}

function listOf(docs) {
  const lines = parts().flatMap(({ text, pages }) => [
    `## ${text}\n`,
    ...pages.map((page) => `- [${titleOf(page)}](${siteUrl}${page}.md): ${aboutOf(docs, page)}`),
    '',
  ]);
  return [
    '# Sigil\n',
    '> A TypeScript framework for Model Context Protocol (MCP) servers: classes with decorators become tools, resources and prompts.\n',
    `Read [llms-small.txt](${siteUrl}llms-small.txt) first: it is enough to write a correct server. [llms-full.txt](${siteUrl}llms-full.txt) is the whole guide.`,
    `The page of an error is at ${siteUrl}e/<CODE>.md.\n`,
    ...lines,
  ].join('\n');
}

function aboutOf(docs, page) {
  const [, yaml = ''] = FRONT_MATTER.exec(readFileSync(join(docs, `${page}.md`), 'utf8')) ?? [];
  return descriptionOf(`${page}.md`, parse(yaml) ?? {});
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
