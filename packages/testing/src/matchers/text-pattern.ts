/** A text that a test expects: the text itself, a regular expression, or an asymmetric matcher such as `expect.stringContaining()`. */
import type { Equals } from './matcher';
import { printValue } from './print-value';

/** An expected text, or a pattern for it. */
export type TextPattern = string | RegExp;

/** Whether a text is the expected one, as a whole. */
export function isText(text: string, pattern: TextPattern, equals: Equals): boolean {
  // `search` does not change the `lastIndex` of a global expression.
  return pattern instanceof RegExp ? text.search(pattern) >= 0 : equals(text, pattern);
}

/** Whether a text contains the expected one, as `toThrow()` checks it. */
export function hasText(text: string, pattern: TextPattern, equals: Equals): boolean {
  return typeof pattern === 'string' ? text.includes(pattern) : isText(text, pattern, equals);
}

/** The text around a pattern in a sentence. */
export function describePattern(pattern: TextPattern, ofText: 'be' | 'contain'): string {
  return `${pattern instanceof RegExp ? 'match' : ofText} ${printValue(pattern)}`;
}
