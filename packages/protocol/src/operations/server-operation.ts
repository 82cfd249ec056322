/** A request of a server to its client, as one value that says everything about it. Revisions list those that they have. */
import type { JsonObject } from '../jsonrpc/message';
import type { ClientCapabilities } from '../model/lifecycle';
import type { Wire } from './operation';

/** Both directions of a request of the server in one revision. */
export interface ServerOperationCodec<P extends object, R extends object> {
  /**
   * Server: the capabilities that the request needs, and that the client did not declare or the revision does not have; undefined if
   * nothing is missing.
   */
  missingCapabilities(params: P, declared: ClientCapabilities): ClientCapabilities | undefined;
  /** Server: neutral parameters -> `params`; undefined if it has no parameters. Call it only if no capability is missing. */
  writeParams(params: P): JsonObject | undefined;
  /** Client: raw `params` -> neutral parameters. Throws `ProtocolError('invalid-params')` naming the member. */
  readParams(params: JsonObject): P;
  /** Client: a neutral result -> `result`, with only the members that the revision knows. */
  writeResult(result: R): JsonObject;
  /** Server: `result` -> the neutral result. Throws `ProtocolError('invalid-params')` naming the member. */
  readResult(result: JsonObject, params: P): R;
}

/** One request of a server. `P` are its parameters and `R` is its result, in the terms of the newest revision. */
export interface ServerOperation<M extends string = string, P extends object = object, R extends object = object> {
  /** Its name, such as `elicitation/create`. */
  readonly method: M;
  /** Compiles both directions for one revision. */
  compile(wire: Wire): ServerOperationCodec<P, R>;
}
