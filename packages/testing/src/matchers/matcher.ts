/** The port between our matchers and the `expect` of a test runner, with the members that jest and vitest share. */

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
