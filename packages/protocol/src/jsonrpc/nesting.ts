/** How deeply a JSON text or value is nested. */

/** Whether objects and arrays lie in each other deeper than so many levels. The text must be valid JSON. */
export function isDeeperThan(levels: number, text: string): boolean {
  // Each level has two brackets; and most texts have fewer openings than there may be levels, which is found out fast.
  if (text.length < 2 * levels || openings(text, levels) <= levels) return false;
  return depthExceeds(levels, text);
}

/** The same of a value that was parsed. It may be deeper than any recursion can go. */
export function isValueDeeperThan(levels: number, value: unknown): boolean {
  let layer = [value].filter(isNested);
  for (let depth = 1; layer.length > 0; depth += 1) {
    if (depth > levels) return true;
    layer = layer.flatMap((one) => Object.values(one).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** How many brackets open, those in strings counted, too; one more than `enough` for more than that. */
function openings(text: string, enough: number): number {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0 && count <= enough; at = text.indexOf(bracket, at + 1)) count += 1;
  }
  return count;
}

function depthExceeds(levels: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      depth += 1;
      if (depth > levels) return true;
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

/** The place of the quote that ends the string which begins at a place. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === BACKSLASH) at += 1;
    else if (character === QUOTE) return at;
  }
  return text.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
