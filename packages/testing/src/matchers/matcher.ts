/** The port between our matchers and the `expect` of a test runner, with the members that jest and vitest share. */

// Prints values in failure messages: on one line, and cut to a readable length.

/** An asymmetric matcher of `expect`, such as `expect.any(String)`. */
interface AsymmetricMatcher {
  asymmetricMatch(other: unknown): boolean;
  toAsymmetricMatcher?(): string;
  toString(): string;
  /** The value that it compares with, if it has one. */
  readonly sample?: unknown;
}

const LONGEST = 300;

/** Any value, written like the code that makes it. */
export function printValue(value: unknown): string {
  return shorten(write(value), LONGEST);
}

/** A text with its middle left out if it is long. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const half = Math.floor((longest - 1) / 2);
  return `${text.slice(0, longest - half - 1)}…${text.slice(-half)}`;
}

/** The lines of a list in a failure message. */
export function asList(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}

/** Whether a value is an asymmetric matcher. */
export function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return typeof value === 'object' && value !== null && 'asymmetricMatch' in value;
}

function write(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (isAsymmetric(value)) return writeAsymmetric(value);
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return writeObject(value);
  return typeof value === 'function' ? `the function ${value.name}` : (JSON.stringify(value) ?? String(value));
}

function writeObject(value: object): string {
  if (value instanceof Promise) return 'a promise';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const written = members.map(
    ([name, member]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${write(member)}`,
  );
  return written.length > 0 ? `{ ${written.join(', ')} }` : '{}';
}

function writeAsymmetric(value: AsymmetricMatcher): string {
  if (value.toAsymmetricMatcher) return value.toAsymmetricMatcher();
  // Matchers of jest without that method have their name here.
  const name = value.toString();
  return value.sample === undefined ? name : `${name} ${write(value.sample)}`;
}

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
