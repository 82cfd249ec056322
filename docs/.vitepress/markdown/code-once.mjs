/**
 * Pages are rendered for the browser, for their HTML and for the search, and pages of the API share signatures: the same code is coloured
 * once.
 */

/** The plugin of markdown-it. */
export function codeOnce(md) {
  const { highlight } = md.options;
  const known = new Map();
  md.options.highlight = (...block) => {
    const key = JSON.stringify(block);
    if (!known.has(key)) known.set(key, highlight(...block));
    return known.get(key);
  };
}
