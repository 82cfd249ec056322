/**
 * Every page of the site in one of the four kinds that people look for, in the order in which the sidebar has them. A page that is not
 * here fails the build, and so does a line without its page. Its name in the sidebar is its heading, if no other is given.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What `npm run docs` writes of the sources, and git does not keep. */
const GENERATED = 'reference/api/';

/** Kind -> parts -> pages. A kind or a part that has no page yet is not shown. */
const KINDS = [
  { text: 'Tutorial', parts: [{ pages: ['tutorial'] }] },
  {
    text: 'How-to',
    parts: [
      { text: 'Arguments and results', pages: ['dtos', 'schemas', 'how-to/results', 'how-to/errors'] },
      { text: 'What a server offers', pages: ['how-to/resources', 'how-to/prompts', 'how-to/progress', 'changes'] },
      { text: 'Building a server', pages: ['functions', 'modules', 'providers', 'how-to/configuration', 'logging'] },
      { text: 'Asking people and models', pages: ['asking'] },
      { text: 'Who may do what', pages: ['how-to/guards-and-interceptors', 'authorization', 'authorization-servers'] },
      { text: 'Testing', pages: ['testing'] },
      {
        text: 'Serving',
        pages: ['stdio', 'how-to/clients', 'http', 'how-to/several-servers', 'how-to/serverless', 'deployment'],
      },
      {
        text: 'Coming from elsewhere',
        pages: ['how-to/from-official-sdk', 'how-to/from-fastmcp', 'how-to/from-mcp-nest', 'from-nestjs', 'from-zod'],
      },
    ],
  },
  {
    text: 'Reference',
    parts: [
      { pages: ['reference/options', 'reference/environment', 'reference/revisions', 'limits', 'errors', 'cli'] },
    ],
  },
  {
    text: 'Explanation',
    parts: [
      { pages: ['why', 'architecture', 'security', 'vulnerabilities', 'reliability', 'performance', 'dependencies'] },
    ],
  },
];

/** Of the front page alone, which the name of the site leads to. */
const FRONT = 'index';

/**
 * The sidebar, with what is generated of the API under the reference.
 * @throws Error for a page that is in no kind, in two of them, or not there
 */
export function sidebar() {
  checkPages();
  return KINDS.map(({ text, parts }) => {
    const items = parts.filter(({ pages }) => pages.length > 0).flatMap(itemsOf);
    return { text, items: text === 'Reference' ? [...items, ...apiItems()] : items };
  }).filter(({ items }) => items.length > 0);
}

function itemsOf({ text, pages }) {
  const items = pages.map((page) => ({ text: headingOf(page), link: `/${page}` }));
  return text === undefined ? items : [{ text, items }];
}

function apiItems() {
  const index = join(docs, GENERATED, 'index.md');
  if (!existsSync(index)) return [];
  const modules = readdirSync(join(docs, GENERATED), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const items = modules.map(({ name }) => ({
    text: headingOf(`${GENERATED}${name}/index`),
    link: `/${GENERATED}${name}/`,
  }));
  return [{ text: 'API', link: `/${GENERATED}`, collapsed: true, items }];
}

function headingOf(page) {
  const heading = /^# (.+)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8'))?.[1];
  if (heading === undefined) throw new Error(`docs/${page}.md has no heading.`);
  return heading.replaceAll('`', '').replaceAll('\\', '');
}

function checkPages() {
  const named = KINDS.flatMap(({ parts }) => parts.flatMap(({ pages }) => pages));
  const there = readdirSync(docs, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md') && !name.startsWith('.vitepress/') && !name.startsWith(GENERATED))
    .map((name) => name.slice(0, -'.md'.length))
    .filter((page) => page !== FRONT);
  const problems = [
    ...there.filter((page) => !named.includes(page)).map((page) => `docs/${page}.md is of no kind`),
    ...named.filter((page) => !there.includes(page)).map((page) => `there is no docs/${page}.md`),
    ...named.filter((page, index) => named.indexOf(page) !== index).map((page) => `docs/${page}.md is named twice`),
  ];
  if (problems.length > 0) throw new Error(`${problems.join('; ')}: mend docs/.vitepress/pages.mjs.`);
}
