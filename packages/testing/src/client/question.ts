/** The questions of a server, and the answers of a test. */
import type { JsonObject } from '@sigil-mcp/protocol';

/** A question of a server, as a request or in an `input_required` result. */
export interface Question {
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  readonly method: string;
  readonly params: JsonObject;
  /** The name of the question within the call, if the revision has such names. */
  readonly key: string | undefined;
}

/**
 * The result of a question. Throwing an `RpcError` refuses it; on a revision in which a client cannot refuse, the call fails
 * with that error.
 */
export type AnswerQuestion = (question: Question) => JsonObject | Promise<JsonObject>;
