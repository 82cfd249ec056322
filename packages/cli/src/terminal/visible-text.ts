/** Text of strangers, made safe for a terminal: what it would obey is shown instead. */

/** Control characters other than a tab and the end of a line, and those that turn the direction of writing round. */
// eslint-disable-next-line no-control-regex -- they are what this is about
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** Colours and weights, which programs give their logs. */
// eslint-disable-next-line no-control-regex -- they are what this is about
const COLORS = /\u001b\[[\d;:]*m/g;

/**
 * The text with each character that a terminal would obey as an escape, such as `\u001b`; a line that ends as on Windows ends
 * as everywhere. JSON stays the same JSON.
 */
export function visible(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(OBEYED, escaped);
}

/** What a program wrote to its own stderr or stdout, without its colours; the rest is made visible. */
export function visibleLine(line: string): string {
  return visible(line.replace(COLORS, ''));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
