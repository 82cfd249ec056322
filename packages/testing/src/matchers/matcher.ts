/** The port between our matchers and the `expect` of a test runner, with the members that jest and vitest share. */
import { printValue } from './print-value';

/** An expected text, or a pattern for it. */
export type TextPattern = string | RegExp;

/** Compares values; supports `expect.any()` and similar matchers. */
export type Equals = (actual: unknown, expected: unknown) => boolean;

/** The `this` of a matcher. */
export interface MatcherContext {
  readonly equals: Equals;
}

/** The result of a matcher; the message is that of a failure, with `not` and without. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Builds the result of a matcher: a message is created only if it is needed. */
export function verdict(pass: boolean, whenMissing: () => string, whenThere: () => string): MatcherResult {
  return { pass, message: pass ? whenThere : whenMissing };
}

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
