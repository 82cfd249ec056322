/** One question of a call, and its label. */
import { createHash } from 'node:crypto';
import type { JsonValue, ServerMethod, ServerRequest } from '@sigil-mcp/protocol';

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
