/**
 * Every page of the site, in the order of the sidebar and of the links to the next page. A page that is missing here fails the
 * build, and so does an entry without its page. The name in the sidebar is the heading of the page.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from './links.mjs';

const docs = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Pages that the build generates, and that git ignores: folders with a sidebar of their own, and the changelog. */
const BUILT = ['reference/options/', 'errors/', 'reference/api/', 'changelog'];

/** Pages that scripts generate, and that are committed. */
const WRITTEN = ['reference/revisions'];

/** Parts of the guide -> pages. A part without pages is not shown. */
const GUIDE = [
  {
    text: 'Get started',
    pages: ['quick-start', 'installation', 'tutorial', 'project-structure', 'how-to/clients', 'examples', 'one-page'],
  },
  {
    text: 'Tools and their classes',
    pages: [
      'how-to/tool-design',
      'dtos',
      'how-to/results',
      'how-to/errors',
      'schemas',
      'functions',
      'how-to/backends',
      'how-to/openapi',
    ],
  },
  {
    text: 'Resources, prompts, calls',
    pages: ['how-to/resources', 'how-to/prompts', 'how-to/progress', 'asking', 'changes'],
  },
  {
    text: 'Build a server',
    pages: [
      'providers',
      'modules',
      'how-to/guards-and-interceptors',
      'apps',
      'extensions',
      'skills',
      'tasks',
      'result-budgets',
      'toolsets',
      'observers',
      'telemetry',
      'audit',
      'contract',
      'recorded-calls',
      'versions',
      'context-budget',
      'how-to/configuration',
      'logging',
      'testing',
      'client',
    ],
  },
  { text: 'Authorization', pages: ['authorization', 'authorization-servers'] },
  {
    text: 'Serve',
    pages: [
      'stdio',
      'http',
      'platforms',
      'how-to/deploy',
      'how-to/publishing',
      'how-to/several-servers',
      'nest',
      'how-to/serverless',
      'deployment',
    ],
  },
  {
    text: 'Migrate',
    pages: [
      'how-to/from-official-sdk',
      'how-to/from-fastmcp',
      'how-to/from-mcp-nest',
      'how-to/from-nestjs-mcp',
      'from-nestjs',
      'from-zod',
    ],
  },
  { text: 'Help', pages: ['troubleshooting', 'faq', 'how-to/recipes', 'glossary'] },
  {
    text: 'Understand',
    pages: ['why', 'comparison', 'architecture', 'security', 'vulnerabilities', 'reliability', 'performance', 'scale'],
  },
];

const REFERENCE = [
  {
    text: 'Reference',
    pages: ['cli', 'limits', 'reference/environment', 'reference/revisions', 'dependencies'],
  },
];

/** Regular expressions for the addresses at which an entry of the top bar is highlighted. */
const REFERENCE_PATHS = `^/(reference/|errors/|(${REFERENCE.flatMap(({ pages }) => pages).join('|')})$)`;
const GUIDE_PATHS = `^/(?!$|reference/|errors/|(${REFERENCE.flatMap(({ pages }) => pages).join('|')})$)`;

/** The front page, which the site's name links to. */
const FRONT = 'index';

/** The bar at the top. */
export function navigation(version) {
  return [
    { text: 'Guide', link: '/quick-start', activeMatch: GUIDE_PATHS },
    { text: 'Reference', link: '/reference/options/', activeMatch: REFERENCE_PATHS },
    { text: 'Examples', link: '/examples' },
    {
      text: `v${version}`,
      items: [
        { text: 'Changelog', link: '/changelog' },
        { text: 'Contributing', link: `${REPOSITORY}/blob/main/CONTRIBUTING.md` },
        { text: 'Report a vulnerability', link: `${REPOSITORY}/blob/main/SECURITY.md` },
      ],
    },
  ];
}

/** Whether a page is generated from the sources, so that it has no edit link. */
export function isGenerated(relativePath) {
  return isBuilt(relativePath) || WRITTEN.some((page) => relativePath === `${page}.md`);
}

/**
 * A sidebar for the pages of the reference, one for each folder that the build writes, and one for all others.
 * @throws Error for a page that is in no part, in two parts, or that does not exist
 */
export function sidebars() {
  checkPages();
  const [folders, ways] = [BUILT.filter((path) => path.endsWith('/')), writtenPart()];
  const reference = [...REFERENCE.map(partOf), ways];
  const paths = ['reference/', 'changelog', ...REFERENCE.flatMap(({ pages }) => pages)];
  return {
    ...Object.fromEntries(folders.map((folder) => [`/${folder}`, [...listOf(folder), ways]])),
    ...Object.fromEntries(paths.map((path) => [`/${path}`, reference])),
    '/': GUIDE.filter(({ pages }) => pages.length > 0).map(partOf),
  };
}

/** The way to each folder that the build writes. */
function writtenPart() {
  const items = [
    { text: 'Decorators and options', link: '/reference/options/' },
    { text: 'Errors', link: '/errors/' },
    { text: 'API', link: '/reference/api/' },
  ];
  return { text: 'More reference', items };
}

/** The pages of a folder that the build writes, in the order of its list. */
function listOf(folder) {
  const index = join(docs, folder, 'index.md');
  if (!existsSync(index)) return [];
  const text = readFileSync(index, 'utf8');
  const pages = [...new Set([...text.matchAll(/\]\(([\w-]+)\.md[#)]/g)].map(([, page]) => page))];
  const items = pages.map((page) => ({ text: shortened(headingOf(`${folder}${page}`)), link: `/${folder}${page}` }));
  return [{ text: headingOf(`${folder}index`), link: `/${folder}`, items }];
}

/** Without what the heading of each page in a folder begins with. */
function shortened(heading) {
  return heading.replace(/^(Errors: |Options of )/, '').replace(/^@sigil-mcp\//, '');
}

/** Every part with the paths of its pages, those of the guide first. */
export function parts() {
  return [...GUIDE, ...REFERENCE];
}

/** The heading of a page, without markup. */
export function titleOf(page) {
  return headingOf(page);
}

function partOf({ text, pages }) {
  return { text, items: pages.map((page) => ({ text: headingOf(page), link: `/${page}` })) };
}

function headingOf(page) {
  const heading = /^# (.+)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8'))?.[1];
  if (heading === undefined) throw new Error(`docs/${page}.md has no heading.`);
  return heading.replaceAll('`', '').replaceAll('\\', '');
}

function checkPages() {
  const named = [...GUIDE, ...REFERENCE].flatMap(({ pages }) => pages);
  const there = readdirSync(docs, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md') && !name.startsWith('.vitepress/') && !isBuilt(name))
    .map((name) => name.slice(0, -'.md'.length))
    .filter((page) => page !== FRONT);
  const problems = [
    ...there.filter((page) => !named.includes(page)).map((page) => `docs/${page}.md is in no part`),
    ...named.filter((page) => !there.includes(page)).map((page) => `there is no docs/${page}.md`),
    ...named.filter((page, index) => named.indexOf(page) !== index).map((page) => `docs/${page}.md is named twice`),
  ];
  if (problems.length > 0) throw new Error(`${problems.join('; ')}: correct docs/.vitepress/pages.mjs.`);
}

function isBuilt(path) {
  return BUILT.some((start) => path.startsWith(start));
}
