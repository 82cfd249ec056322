/**
 * An operation: one request of a client, as one value that says everything about it. Revisions list the operations that they have; to add
 * one, write such a value and name it where it was introduced.
 */
import { asJsonObject, type JsonObject } from '../jsonrpc/message';
import type { ProtocolError } from '../jsonrpc/protocol-error';
import type { ClientCapabilities } from '../model/lifecycle';
import type { EmptyResult, ListParams, NoParams } from '../model/metadata';
import type { ResourceUriParams } from '../model/features';
import { readOptionalString, readString } from '../reading/read-members';
import type { Noun, WireRules } from '../rules/wire-rules';
import { projectFields, type Writer } from '../writing/write-content';
import type { NounWriters } from '../writing/write-call-result';

/**
 * Both directions of a request of the server in one revision.
 *
 * A request of a server to its client, as one value that says everything about it. Revisions list those that they have.
 */
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

/**
 * One such type of result. `R` is the result.
 *
 * Results that are neither complete nor a question: what an extension answers with in place of the result of an operation.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
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

/** Both directions of a notification in one revision. */
export interface NotificationCodec<P extends object> {
  /** Receiver: raw `params` -> neutral parameters. Throws `ProtocolError('invalid-params')` naming the member. */
  readParams(params: JsonObject): P;
  /** Sender: neutral parameters -> `params`, with only the members that the revision knows. */
  writeParams(params: P): JsonObject;
}

/** One notification, of a client or of a server. `P` are its parameters. */
export interface NotificationOperation<M extends string = string, P extends object = object> {
  /** Its name, such as `notifications/tasks`. */
  readonly method: M;
  /** Compiles both directions for one revision. */
  compile(wire: Wire): NotificationCodec<P>;
}

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

// Parts of codecs that several operations share.

/** No parameters. */
export const NO_PARAMS = {
  readParams: (): NoParams => ({}),
  writeParams: (): JsonObject => ({}),
};

/** The parameters of a list. */
export const PAGE_PARAMS = {
  readParams(params: JsonObject): ListParams {
    const cursor = readOptionalString(params, 'cursor', 'params');
    return cursor === undefined ? {} : { cursor };
  },
  writeParams: ({ cursor }: ListParams): JsonObject => (cursor === undefined ? {} : { cursor }),
};

/** The URI of a resource. */
export const URI_PARAMS = {
  readParams: (params: JsonObject): ResourceUriParams => ({ uri: readString(params, 'uri', 'params') }),
  writeParams: ({ uri }: ResourceUriParams): JsonObject => ({ uri }),
};

const writeNothing = projectFields([]);

/** A result that only says that it worked. */
export const EMPTY_RESULT = {
  writeResult: writeNothing,
  readResult: (): EmptyResult => ({}),
};

/** The writer of a noun; a noun that the revision does not have is written without members. */
export function writerOf(noun: Noun, { find }: Wire): Writer {
  return find(noun) ?? writeNothing;
}

/** The writer of a noun; one that the revision does not have is written as it is. */
export function writerOrSame(noun: Noun, { find }: Wire): Writer {
  return find(noun) ?? asJsonObject;
}
