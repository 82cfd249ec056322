/** One question of a call, and its label. */
import { createHash } from 'node:crypto';
import type { JsonValue, ServerMethod, ServerRequest } from '@sigil-mcp/protocol';

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
 * How a question ended. `accept`, `decline`, `cancel`: the action of the answer to an elicitation. `answered`: any other question has its
 * answer. `pending`: the answer comes with another request. `failed`: there is no answer, or one that cannot be used.
 */
export type QuestionOutcome = 'accept' | 'decline' | 'cancel' | 'answered' | 'pending' | 'failed';

/** A question, ready to be asked. */
export interface Question<M extends ServerMethod = ServerMethod> {
  /** Its name within the call; the key in `inputRequests` where questions travel in results. */
  readonly key: string;
  /** Tells whether a question of the same key is the same question. */
  readonly digest: string;
  /** For people: `elicitation/create "Really?"`. */
  readonly label: string;
  readonly request: ServerRequest<M>;
  /** Milliseconds that the client has to answer, where it is waited for. */
  readonly timeout: number;
  /** Members of its `_meta`, where it is sent as a request; filled by those who watch the call. */
  readonly meta: Record<string, JsonValue>;
}

/** What is remembered of a question that was asked. */
export type QuestionDigest = Pick<Question, 'digest' | 'label'>;

/** A short text that stands for the words of a question. What is new each time it is asked does not count. */
export function digestOf({ method, params }: ServerRequest): string {
  const { elicitationId: _elicitationId, ...words } = { elicitationId: undefined, ...params };
  return createHash('sha256')
    .update(JSON.stringify([method, words]))
    .digest('base64url')
    .slice(0, 22);
}

/** The name of a question for people: its method and, where it has one, the beginning of its message. */
export function labelOf({ method, params }: ServerRequest): string {
  return 'message' in params ? `${method} ${JSON.stringify(params.message.slice(0, 80))}` : method;
}

/**
 * Whether a thrown value is the signal that the handler will run again later, so that it must be rethrown.
 * @example try { await context.elicit(Form, 'Really?'); } catch (error) { if (isSuspension(error)) throw error; return 'failed'; }
 */
export function isSuspension(error: unknown): boolean {
  return typeof error === 'object' && error !== null && SUSPENSION in error;
}
