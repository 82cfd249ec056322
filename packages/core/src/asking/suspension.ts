/** The signal that ends a round: the client must answer a question before the handler can continue. */

/** Marks a suspension. `Symbol.for`, so that it holds across copies of the package. */
const SUSPENSION = Symbol.for('sigil.suspension');

/**
 * Thrown into a handler that asks a client which answers with its next request. `finally` blocks run, the question is sent, and the
 * handler runs again when the answer has arrived. Code that catches errors around a question must rethrow this one.
 */
export class Suspension extends Error {
  override readonly name = 'Suspension';
  readonly [SUSPENSION] = true;

  /** @param label the question, for readers of a log */
  constructor(label: string) {
    super(
      `The handler waits for the client's answer to ${label}. Let this error pass: rethrow what isSuspension() knows.`,
    );
  }
}

/**
 * Whether a thrown value is the signal that the handler will run again later, so that it must be rethrown.
 * @example try { await context.elicit(Form, 'Really?'); } catch (error) { if (isSuspension(error)) throw error; return 'failed'; }
 */
export function isSuspension(error: unknown): boolean {
  return typeof error === 'object' && error !== null && SUSPENSION in error;
}
