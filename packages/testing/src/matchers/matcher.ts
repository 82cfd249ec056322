/** The port between our matchers and the `expect` of a test runner: as much as jest and vitest have in common. */

/** How values are compared; knows `expect.any()` and its likes. */
export type Equals = (actual: unknown, expected: unknown) => boolean;

/** What `expect` binds a matcher to. */
export interface MatcherContext {
  readonly equals: Equals;
}

/** What a matcher answers; the message is that of a failure, with `not` and without. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** A matcher's answer: the message that belongs to it is written only if it is needed. */
export function verdict(pass: boolean, whenMissing: () => string, whenThere: () => string): MatcherResult {
  return { pass, message: pass ? whenThere : whenMissing };
}
