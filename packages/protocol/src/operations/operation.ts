/**
 * An operation: one request of a client, as one value that says everything about it. Revisions list the operations that they have; to add
 * one, write such a value and name it where it was introduced.
 */
import type { JsonObject } from '../jsonrpc/message';
import type { ProtocolError } from '../jsonrpc/protocol-error';
import type { WireRules } from '../rules/wire-rules';
import type { NounWriters } from '../writing/write-nouns';

/** What an operation is compiled with, once for each revision. */
export interface Wire {
  readonly rules: WireRules;
  /** The writers of the nouns that the revision has. */
  readonly find: NounWriters;
}

/** Both directions of an operation in one revision. */
export interface OperationCodec<P extends object, R extends object> {
  /** Server: raw `params` -> neutral parameters. Throws `ProtocolError('invalid-params')` naming the member. */
  readParams(params: JsonObject): P;
  /** Client: neutral parameters -> `params`, with only the members that the revision knows. */
  writeParams(params: P): JsonObject;
  /**
   * Server: a neutral result -> `result`, with only the members that the revision knows.
   * @param params of the request, as `readParams` returned them; undefined if they could not be read
   */
  writeResult(result: R, params?: P): JsonObject;
  /** Server: the members of `result` as JSON text, without braces; undefined if a result has to be written as an object first. */
  writeMembers?(result: R, params?: P): string | undefined;
  /** Server: the result that reports an error, where the revision wants that in place of an error; otherwise undefined. */
  resultOf?(error: ProtocolError): R | undefined;
  /** Client: `result` -> the neutral result. Throws `ProtocolError('invalid-params')` naming the member. */
  readResult(result: JsonObject): R;
}

/** One request of a client. `P` are its parameters and `R` is its result, in the terms of the newest revision. */
export interface Operation<M extends string = string, P extends object = object, R extends object = object> {
  /** Its name, such as `tools/call`. */
  readonly method: M;
  /** The parameter that the header `Mcp-Name` repeats, in revisions that have the header; none if left out. */
  readonly nameParameter?: string;
  /** Whether a server may ask the client questions before it answers; false if left out. */
  readonly mayAsk?: boolean;
  /** Whether its results say how long they may be cached, in revisions that have such hints; false if left out. */
  readonly isCacheable?: boolean;
  /** Whether `writeResult` reads the parameters, so that a result is written for each request; false if left out. */
  readonly resultDependsOnParams?: boolean;
  /** Compiles both directions for one revision. */
  compile(wire: Wire): OperationCodec<P, R>;
}

/** The parameters of an operation. */
export type ParamsOfOperation<O> = O extends Operation<string, infer P> ? P : never;

/** The result of an operation. */
export type ResultOfOperation<O> = O extends Operation<string, object, infer R> ? R : never;
