/** The search of the documentation that the command line brings with it: sections, and an index of them, with the rules of the site. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { slugOf } from '../../docs/.vitepress/links.mjs';
import { miniSearch } from '../../docs/.vitepress/search.mjs';

/** Characters of a section that a result shows. */
const SHOWN = 200;

const { tokenize, processTerm } = miniSearch.options;

/**
 * @param root the repository, whose command line has the library of the search
 * @param pages `{ path, title, description, keywords, text }`
 * @returns `{ sections, index, silentWords }`: what a result shows, the index of minisearch with a number for each section, and the words
 *   of a question that do not say what it is about
 */
export function packagedSearch(root, pages) {
  const MiniSearch = createRequire(join(root, 'packages', 'cli', 'package.json'))('minisearch');
  const sections = pages.flatMap((page) => sectionsOf(page).map((section) => ({ page, ...section })));
  const search = new MiniSearch({ fields: ['title', 'heading', 'keywords', 'text'], tokenize, processTerm });
  search.addAll(
    sections.map(({ page, heading = '', text }, id) => ({
      id,
      title: page.title,
      heading,
      // They belong to the page, so they lead to its beginning.
      keywords: heading === '' ? page.keywords.join(' ') : '',
      text,
    })),
  );
  return {
    silentWords: silentWordsOf(sections),
    sections: sections.map(({ page, heading, anchor, text }) => ({
      page: page.path,
      title: heading === undefined ? page.title : `${page.title} > ${heading}`,
      ...(anchor !== undefined && { anchor }),
      excerpt: excerptOf(text) || page.description,
    })),
    index: search.toJSON(),
  };
}

/** The part above the first heading of the second level, and the parts below each. A line of code that looks like one does not count. */
function sectionsOf({ text }) {
  const sections = [{ heading: undefined, anchor: undefined, text: '' }];
  const slugs = new Map();
  let fence;
  for (const line of text.replace(/^# .*\n/, '').split('\n')) {
    const [mark] = /^(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== undefined) fence = fence === undefined ? mark : line.startsWith(fence) ? undefined : fence;
    const [, heading] = fence === undefined ? (/^## (.*)$/.exec(line) ?? []) : [];
    if (heading === undefined) sections.at(-1).text += `${line}\n`;
    else sections.push({ heading: heading.replaceAll('`', ''), anchor: anchorOf(heading, slugs), text: '' });
  }
  return sections;
}

/** Headings with the same words are numbered. */
function anchorOf(heading, slugs) {
  const slug = slugOf(heading.replaceAll('`', ''));
  const before = slugs.get(slug) ?? 0;
  slugs.set(slug, before + 1);
  return before === 0 ? slug : `${slug}-${before}`;
}

/** The words of the pages that the search of the site drops. */
function silentWordsOf(sections) {
  const words = new Set(sections.flatMap(({ text }) => tokenize(text).map((word) => word.toLowerCase())));
  return [...words].filter((word) => processTerm(word) === null).sort();
}

/** The first sentences, without code, tables and marks. */
function excerptOf(text) {
  const plain = text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/^[|#:<].*$/gm, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length <= SHOWN ? plain : `${plain.slice(0, SHOWN).replace(/\s\S*$/, '')} …`;
}
