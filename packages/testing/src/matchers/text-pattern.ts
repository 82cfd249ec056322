/** A text that a test expects: the text itself, a regular expression, or one of `expect.stringContaining()` and its likes. */
import type { Equals } from './matcher';
import { printValue } from './print-value';

/** A text that is expected, or a pattern for it. */
export type TextPattern = string | RegExp;

/** Whether a text is the expected one, as a whole. */
export function isText(text: string, pattern: TextPattern, equals: Equals): boolean {
  // `search` leaves the position of a global expression alone.
  return pattern instanceof RegExp ? text.search(pattern) >= 0 : equals(text, pattern);
}

/** Whether a text has the expected one in it, as `toThrow()` has it. */
export function hasText(text: string, pattern: TextPattern, equals: Equals): boolean {
  return typeof pattern === 'string' ? text.includes(pattern) : isText(text, pattern, equals);
}

/** The words around a pattern in a sentence. */
export function describePattern(pattern: TextPattern, ofText: 'be' | 'contain'): string {
  return `${pattern instanceof RegExp ? 'match' : ofText} ${printValue(pattern)}`;
}
