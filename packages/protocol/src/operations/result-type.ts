/**
 * Results that are neither complete nor a question: what an extension answers with in place of the result of an operation.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
import type { JsonObject } from '../jsonrpc/message';

/** One such type of result. `R` is the result. */
export interface ResultType<R extends object = object> {
  /** The value of `resultType`, such as `task`. */
  readonly name: string;
  /** The requests that may be answered with it. */
  readonly methods: readonly string[];
  /** Server: the result -> the members of `result`, without `resultType`. */
  write(result: R): JsonObject;
  /** Client: `result` -> the result. Throws `ProtocolError('invalid-params')` naming the member. */
  read(result: JsonObject): R;
}

/**
 * A result of such a type, in place of the result of an operation.
 * @example return new TypedResult(TASK, { taskId, status: 'working' });
 */
export class TypedResult<R extends object = object> {
  constructor(
    readonly type: ResultType<R>,
    readonly value: R,
  ) {}
}
