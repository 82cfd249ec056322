/** The signal that ends a round: a question has to travel to the client before the handler can go on. */

/** Marks a suspension. `Symbol.for`, so that it holds across copies of the package. */
const SUSPENSION = Symbol.for('sigil.suspension');

/**
 * Thrown into a handler that asks a client which answers with its next request: `finally` blocks run, the question goes out,
 * and the handler runs again when the answer is there. Whoever catches errors around a question lets this one pass.
 */
export class Suspension extends Error {
  override readonly name = 'Suspension';
  readonly [SUSPENSION] = true;

  /** @param label the question, for whoever finds this in a log */
  constructor(label: string) {
    super(
      `The handler waits for the client's answer to ${label}. Let this error pass: rethrow what isSuspension() knows.`,
    );
  }
}

/**
 * Whether something that was thrown is the signal that a handler is to run again later, and so has to be thrown on.
 * @example try { await context.elicit(Form, 'Really?'); } catch (error) { if (isSuspension(error)) throw error; return 'failed'; }
 */
export function isSuspension(error: unknown): boolean {
  return typeof error === 'object' && error !== null && SUSPENSION in error;
}
