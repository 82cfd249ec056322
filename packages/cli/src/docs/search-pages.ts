/** Searches the documentation, section by section. */
import MiniSearch from 'minisearch';
import { once } from './once';
import { documentation, type DocPage } from './pages';

/** A section that was found. */
export interface Found {
  /** The path of its page. */
  readonly page: string;
  /** The titles down to the section: `Errors > Errors for the model`. */
  readonly title: string;
  /** Where to read it in a browser. */
  readonly address: string;
  /** The beginning of its text, in one line. */
  readonly excerpt: string;
}

interface Section {
  readonly id: number;
  readonly page: DocPage;
  readonly heading: string | undefined;
  readonly text: string;
}

/** Characters of a section that are shown. */
const SHOWN = 200;
/** Words of a question that do not say what it is about. */
const SILENT =
  /^(a|an|and|are|be|can|do|does|for|from|how|i|if|in|is|it|me|my|of|on|or|should|sigil|that|the|this|to|what|when|where|which|who|why|with|you|your)$/;

const index = once(makeIndex);

/** The sections that fit a question best, best first, at most one of each page. */
export function searchPages(question: string, limit: number): Found[] {
  const { sections, search } = index();
  const seen = new Set<DocPage>();
  const found: Found[] = [];
  for (const { id } of search.search(question)) {
    const section = sections[Number(id)];
    if (!section || seen.has(section.page)) continue;
    seen.add(section.page);
    found.push(shown(section));
    if (found.length === limit) break;
  }
  return found;
}

function makeIndex() {
  const sections = documentation()
    .pages.flatMap(sectionsOf)
    .map((section, id) => ({ ...section, id }));
  const search = new MiniSearch({
    fields: ['title', 'heading', 'keywords', 'text'],
    tokenize: wordsOf,
    processTerm: (term) => (SILENT.test(term) ? null : term),
    searchOptions: {
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 && !term.includes('_') ? 0.2 : false),
      boost: { keywords: 12, title: 4, heading: 2 },
      boostDocument: (id) => (sections[Number(id)]?.page.path.startsWith('e/') ? 0.5 : 1),
    },
  });
  search.addAll(
    sections.map(({ id, page, heading = '', text }) => ({
      id,
      title: page.title,
      heading,
      // They belong to the page, so they lead to its beginning.
      keywords: heading === '' ? page.keywords.join(' ') : '',
      text,
    })),
  );
  return { sections, search };
}

/** Lower-case words. An error code is one word, with and without its beginning. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}_]+/u)
    .flatMap((word) => (word.startsWith('sigil_') ? [word, word.slice(6)] : word.split('_')))
    .filter((word) => word !== '');
}

function sectionsOf(page: DocPage): Omit<Section, 'id'>[] {
  const [top = '', ...rest] = page.text.replace(/^# .*\n/, '').split(/^## /m);
  return [
    { page, heading: undefined, text: top },
    ...rest.map((text) => {
      const [heading = ''] = text.split('\n', 1);
      return { page, heading: heading.replaceAll('`', ''), text: text.slice(heading.length) };
    }),
  ];
}

function shown({ page, heading, text }: Section): Found {
  const { site } = documentation();
  const anchor = heading === undefined ? '' : `#${slugOf(heading)}`;
  return {
    page: page.path,
    title: heading === undefined ? page.title : `${page.title} > ${heading}`,
    address: `${site}${page.path}${anchor}`,
    excerpt: excerptOf(text) || page.description,
  };
}

/** The first sentences, without code, tables and marks. */
function excerptOf(text: string): string {
  const plain = text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/^[|#:<].*$/gm, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length <= SHOWN ? plain : `${plain.slice(0, SHOWN).replace(/\s\S*$/, '')} …`;
}

/** The anchor of a heading, as the site makes it. */
function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
}
