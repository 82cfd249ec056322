/** Searches the documentation, section by section, in the index that the build has written. */
import MiniSearch from 'minisearch';
import { documentation, once } from './pages';

/** A section that was found. */
export interface SearchHit {
  /** The path of its page. */
  readonly page: string;
  /** The titles down to the section: `Errors > Errors for the model`. */
  readonly title: string;
  /** Where to read it in a browser. */
  readonly address: string;
  /** The beginning of its text, in one line. */
  readonly excerpt: string;
}

const index = once(openIndex);

/** The sections that fit a question best, best first, at most one of each page. */
export function searchPages(question: string, limit: number): SearchHit[] {
  const { site, sections } = documentation();
  const seen = new Set<string>();
  const found: SearchHit[] = [];
  for (const { id } of index().search(question)) {
    const section = sections[Number(id)];
    if (!section || seen.has(section.page)) continue;
    const { page, title, anchor, excerpt } = section;
    seen.add(page);
    found.push({ page, title, address: `${site}${page}${anchor === undefined ? '' : `#${anchor}`}`, excerpt });
    if (found.length === limit) break;
  }
  return found;
}

function openIndex(): MiniSearch {
  const { sections, index: stored, silentWords } = documentation();
  const silent = new Set(silentWords);
  return MiniSearch.loadJS(stored, {
    fields: ['title', 'heading', 'keywords', 'text'],
    // A code of an error is one word of the index, with and without its beginning.
    tokenize: (asked) => asked.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [],
    processTerm: (word) => (silent.has(word.toLowerCase()) ? null : word.toLowerCase()),
    searchOptions: {
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 && !term.includes('_') ? 0.2 : false),
      boost: { keywords: 12, title: 4, heading: 2 },
      boostDocument: (id) => (sections[Number(id)]?.page.startsWith('e/') ? 0.5 : 1),
    },
  });
}
