/** The words of names and texts, so that they can be compared. */

/** Words that say nothing about what a tool does. */
const EMPTY = new Set(
  'a an and are as at be by can for from given has have if in into is it its of on one or returns return so that the their them then this to was which will with you your'.split(
    ' ',
  ),
);

/** The words of a name, in lower case: `getUser_v2` has `get`, `user` and `v2`. */
export function nameWords(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** The words of a text that say something, in lower case and without endings of English. */
export function meaningWords(text: string): ReadonlySet<string> {
  return new Set(
    nameWords(text)
      .filter((word) => !EMPTY.has(word))
      .map(stem),
  );
}

/** A word without the endings that do not change what it means: `searches` and `search` are one word. */
export function stem(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && /(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word.length > 4 && word.endsWith('ed') ? word.slice(0, -2) : word;
}
