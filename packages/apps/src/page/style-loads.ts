/** The addresses that a style sheet loads. */

/** An address in a text. */
interface FoundAddress {
  readonly url: string;
  /** Its place in the text, from 0. */
  readonly at: number;
  /** `url()`, `@import` or `image-set()`. */
  readonly by: string;
}

const COMMENTS = /\/\*[^]*?(?:\*\/|$)/g;
const ADDRESS =
  /(?:@import\s+)?url\(\s*(?:(?:"([^"]*)"|'([^']*)'|([^"'()\s]+))\s*)?\)|@import\s+(?:"([^"]*)"|'([^']*)')/gi;

/** The pictures that a browser chooses from: texts, or `url(...)`, which is found by itself. */
const IMAGE_SET = /image-set\((?:[^()"']|"[^"]*"|'[^']*'|\([^()]*\))*\)/gi;
const TEXT_IN_SET = /\([^()]*\)|"([^"]*)"|'([^']*)'/g;

/** Finds `url(...)`, `@import` and `image-set(...)` in the text of a style sheet or a style attribute. */
export function styleLoads(css: string): readonly FoundAddress[] {
  // Blanks instead of comments, so that the places stay right.
  const text = css.replace(COMMENTS, (comment) => comment.replace(/[^\n]/g, ' '));
  const inSets = [...text.matchAll(IMAGE_SET)].flatMap((set) => addressesOfSet(set[0], set.index));
  const others = [...text.matchAll(ADDRESS)].flatMap((found) => {
    const [all, ...addresses] = found;
    const url = addresses.find((address) => typeof address === 'string');
    if (url === undefined || url === '') return [];
    return [{ url, at: found.index, by: all.startsWith('@') ? '@import' : 'url()' }];
  });
  return [...others, ...inSets];
}

function addressesOfSet(set: string, start: number): FoundAddress[] {
  const begin = set.indexOf('(') + 1;
  return [...set.slice(begin).matchAll(TEXT_IN_SET)].flatMap(({ 1: double, 2: single, index }) => {
    const url = double ?? single ?? '';
    return url === '' ? [] : [{ url, at: start + begin + index, by: 'image-set()' }];
  });
}
