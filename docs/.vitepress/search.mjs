/** What the search of the site knows, and how it weighs what it finds. Functions here run in the browser: they know nothing beside themselves. */

/** Pages whole; of what is generated of the API the names and their first sentences, or the index would be seven times as large. */
export function renderForSearch(source, env, md) {
  const html = md.render(source, env);
  if (env.frontmatter?.search === false) return '';
  return env.relativePath.startsWith('reference/api/') ? nameAndAbout(html) : html;
}

function nameAndAbout(html) {
  return `${/<h1[\s\S]*?<\/h1>/.exec(html)?.[0] ?? ''}${/<p>[\s\S]*?<\/p>/.exec(html)?.[0] ?? '<p>&nbsp;</p>'}`;
}

/** Options of minisearch. */
export const miniSearch = {
  options: {
    /** Words, and codes such as `SIGIL_LIMIT` beside their parts. */
    tokenize: (text) => [
      ...text.split(/[\s\p{P}\p{S}]+/u).filter((word) => word !== ''),
      ...(text.match(/[A-Z]+(?:_[A-Z]+)+/g) ?? []),
    ],
    /** A question has words that say nothing of what it is about. */
    processTerm: (term) => {
      const word = term.toLowerCase();
      const silent =
        /^(a|an|and|are|be|can|do|does|for|from|how|i|if|in|is|it|me|my|of|on|or|should|sigil|that|the|this|to|what|when|where|which|who|why|with|you|your)$/;
      return silent.test(word) ? null : word;
    },
  },
  searchOptions: {
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boost: { title: 4, titles: 2, text: 1 },
    /** Guides first: whoever wants the API or an error knows its name, which is nowhere else. */
    boostDocument: (path) =>
      path.includes('reference/api/') ? 0.3 : /\/(errors|dependencies)(#|$)/.test(path) ? 0.5 : 1,
  },
};
