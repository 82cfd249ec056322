/** Describes an unexpected value for an error message. */

const LONGEST = 60;

/**
 * A few words for any value, of which nothing is called and no content is shown but that of a text.
 * @example nameValue([1]) // 'an array'
 */
export function nameValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return shorten(JSON.stringify(value), LONGEST);
    case 'function':
      return withName('a function', ' ', value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'an array' : nameObject(value);
    default:
      return shorten(String(value), LONGEST);
  }
}

function nameObject(value: object): string {
  const prototype = Object.getPrototypeOf(value) as { readonly constructor?: unknown } | null;
  const made = prototype?.constructor;
  return made === Object ? 'an object' : withName('an object', ' of ', made);
}

/** Adds the name of a function, where it has one: a static member may stand in its place, and be anything. */
function withName(words: string, joint: string, named: unknown): string {
  const name: unknown = typeof named === 'function' ? named.name : undefined;
  return typeof name === 'string' && name !== '' ? `${words}${joint}${shorten(name, LONGEST)}` : words;
}

/** Cuts a text that is longer than so many characters, and ends it with an ellipsis. */
export function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
