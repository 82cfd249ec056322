/**
 * The index of the site's search, and the ranking of its results. Functions that run in the browser use nothing outside of themselves,
 * because VitePress sends their source text.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base } from './site.mjs';
import { root } from './links.mjs';

/** Whole pages; those of the API and of errors without their code, because there is much of it. */
export function renderForSearch(source, env, md) {
  const isGenerated = /^(reference\/api|errors)\//.test(env.relativePath);
  // Colours of code take most of the time, and nobody searches them.
  const html = md.render(isGenerated ? source.replace(/^```[\s\S]*?^```$/gm, '') : source, env);
  return env.frontmatter?.search === false ? '' : html;
}

/** The keywords in the front matter of a page, for the section at its top. */
function keywordsOf({ id, titles }) {
  if (titles.length > 0) return '';
  const page = id
    .slice(base.length)
    .replace(/#.*$/, '')
    .replace(/(^|\/)$/, '$1index');
  const source = readFileSync(join(root, 'docs', `${page}.md`), 'utf8');
  return /^keywords: \[(.*)\]$/m.exec(/^---\n([\s\S]*?)\n---\n/.exec(source)?.[1] ?? '')?.[1] ?? '';
}

/** Options of minisearch. */
export const miniSearch = {
  options: {
    fields: ['title', 'titles', 'text', 'keywords'],
    storeFields: ['title', 'titles'],
    // Only at build time: in the browser the index exists already.
    extractField: (section, field) => (field === 'keywords' ? keywordsOf(section) : section[field]),
    /** Splits a text into words. A code such as `SIGIL_LIMIT` is one word, and is also found without its prefix. */
    tokenize: (text) =>
      text
        .split(/[^\p{L}\p{N}\p{M}_]+/u)
        .flatMap((word) => (word.startsWith('SIGIL_') ? [word, word.slice(6)] : word.split('_')))
        .filter((word) => word !== ''),
    /** Drops words of a question that do not identify a subject. */
    processTerm: (term) => {
      const word = term.toLowerCase();
      const silent =
        /^(a|an|and|are|be|can|do|does|for|from|how|i|if|in|is|it|me|my|of|on|or|should|sigil|that|the|this|to|what|when|where|which|who|why|with|you|your)$/;
      return silent.test(word) ? null : word;
    },
  },
  searchOptions: {
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 4 && !term.includes('_') ? 0.2 : false),
    boost: { keywords: 12, title: 4, titles: 2, text: 1 },
    /** The guide ranks first: readers who want the API, an option or an error type its name. Design pages rank last. */
    boostDocument: (path, term) =>
      /\/(reference\/(api|options)\/|(architecture|dependencies|vulnerabilities)(#|$))/.test(path) ||
      (/\/errors\/[\w-]/.test(path) && !term.includes('_'))
        ? 0.2
        : 1,
  },
};
