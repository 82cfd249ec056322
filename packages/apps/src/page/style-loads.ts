/** The addresses that a style sheet loads. */

/** An address in a text. */
interface FoundAddress {
  readonly url: string;
  /** Its place in the text, from 0. */
  readonly at: number;
  /** `url()` or `@import`. */
  readonly by: string;
}

const COMMENTS = /\/\*[^]*?(?:\*\/|$)/g;
const ADDRESS =
  /(?<import>@import\s+)?(?:url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)|(?<=@import\s+)(?:"([^"]*)"|'([^']*)'))/gi;

/** Finds `url(...)` and `@import` in the text of a style sheet or a style attribute. */
export function styleLoads(css: string): readonly FoundAddress[] {
  // Blanks instead of comments, so that the places stay right.
  const text = css.replace(COMMENTS, (comment) => comment.replace(/[^\n]/g, ' '));
  return [...text.matchAll(ADDRESS)].flatMap((found) => {
    const [all, , ...addresses] = found;
    const url = addresses.find((address) => typeof address === 'string');
    if (url === undefined || url === '') return [];
    return [{ url, at: found.index, by: found.groups?.['import'] || !/^url/i.test(all) ? '@import' : 'url()' }];
  });
}
