/**
 * The contract of a protocol revision: one value that reads requests into the neutral model and writes results from it.
 * All differences between revisions on the wire are behind it; differences in behaviour belong to the conversations.
 */
import type { ErrorObject, JsonObject, JsonRpcNotification } from '../jsonrpc/message';
import type { ProtocolError, ErrorName } from '../jsonrpc/protocol-error';
import type { ClientCapabilities } from '../model/lifecycle';
import type { Implementation, Meta } from '../model/metadata';
import type { ProgressToken, ServerNotification, LogLevel } from '../model/notifications';
import type { InputRequiredResult, RequestRetry, WrittenServerRequest } from '../model/server-requests';
import type { Method, ParamsOf, ResultOf } from '../operations/all-operations';
import type { ResultType, TypedResult } from '../operations/operation';
import type { ServerMethod, ServerParamsOf, ServerRequest, ServerResultOf } from '../operations/all-server-operations';
import type { MetaKey } from '../rules/wire-rules';
import type { RevisionRules, HttpRules } from './revision-rules';

/** The metadata of one request, `params._meta`. */
export interface RequestMeta {
  readonly progressToken?: ProgressToken;
  /** Set only if the revision carries the level with each request. */
  readonly logLevel?: LogLevel;
  /** Set only if the revision carries them with each request. */
  readonly client?: { readonly info: Implementation | undefined; readonly capabilities: ClientCapabilities };
  /** The values of the keys of extensions; undefined in a revision without such keys. */
  readonly values?: ReadonlyMap<MetaKey, unknown>;
  /** All of `params._meta`, unchanged. */
  readonly all: Meta;
}

/** The answer to a failed request: an error, or (in some revisions, for invalid tool arguments) a result that reports it. */
export type WrittenFailure =
  | { readonly error: ErrorObject; readonly result?: undefined }
  | { readonly result: JsonObject; readonly error?: undefined };

/** Writes the answers of one server, whose name and version some revisions put into every result. */
export interface ResultWriter {
  /**
   * A neutral result, or that of an extension in its place -> the `result` member, with only the members that the revision knows.
   * @param params of the request, which only some results depend on: see `resultsOfParams`
   */
  writeResult<M extends Method>(method: M, result: ResultOf<M> | TypedResult, params?: ParamsOf<M>): JsonObject;
  /** The `result` member as JSON text, ready for a response. Throws what `JSON.stringify` throws. */
  writeResultText<M extends Method>(method: M, result: ResultOf<M> | TypedResult, params?: ParamsOf<M>): string;
  /** The result that asks instead of answering. */
  writeInputRequired(result: InputRequiredResult): JsonObject;
  /** An error as the revision numbers it; `InvalidArguments` of `tools/call` are a result if the revision requires that. */
  writeFailure(error: ProtocolError, method: string, params?: object): WrittenFailure;
}

/** One revision of the specification. */
export interface Revision {
  /** The data that it was compiled from, for `extendRevision`. */
  readonly rules: RevisionRules;
  /** Its date, as it is negotiated. */
  readonly version: string;
  /** How a client and a server negotiate: once with `initialize`, or in each request. */
  readonly lifecycle: RevisionRules['lifecycle'];
  /** Whether JSON-RPC batches are served. */
  readonly batches: boolean;
  /** Requests of the model (`Method`) that it knows; all others are answered with "method not found". */
  readonly requests: ReadonlySet<string>;
  /** Client notifications it knows; others are ignored. */
  readonly notifications: ReadonlySet<string>;
  /** The types of results that extensions answer with in place of complete ones. */
  readonly resultTypes: ReadonlySet<ResultType>;
  /** The error of a request of an extension that the client did not declare. */
  readonly undeclaredExtension: ErrorName;
  /** Raw `params` -> neutral parameters. Throws `ProtocolError('invalid-params')` naming the member. */
  readRequest<M extends Method>(method: M, params: JsonObject | undefined): ParamsOf<M>;
  /** Client: neutral parameters -> `params`, with only the members that the revision knows, and without `_meta`. */
  writeRequest<M extends Method>(method: M, params: ParamsOf<M>): JsonObject;
  /** Client: a complete `result` -> the neutral result. Throws `ProtocolError('invalid-params')` naming the member. */
  readResult<M extends Method>(method: M, result: JsonObject): ResultOf<M>;
  /** Client: a result of an extension in place of a complete one; undefined for any other result. Throws `ProtocolError('invalid-params')`. */
  readTypedResult(method: string, result: JsonObject): TypedResult | undefined;
  /**
   * Raw `params` of a notification that a client sends for an extension -> neutral parameters; undefined if the revision does not have it.
   * Throws `ProtocolError('invalid-params')`.
   */
  readNotification(method: string, params: JsonObject | undefined): object | undefined;
  /** `params._meta` of a request. Throws `ProtocolError('invalid-params')` if a member is missing or malformed. */
  readMeta(params: JsonObject | undefined): RequestMeta;
  /**
   * The answers and the state in a request that was sent again after an `input_required` result; undefined for all other requests.
   * Throws `ProtocolError('invalid-params')`.
   */
  readRetry(method: string, params: JsonObject | undefined): RequestRetry | undefined;
  /** Requests whose results are written for each request, because they depend on its parameters. */
  readonly resultsOfParams: ReadonlySet<string>;
  /** Requests during which the server may ask the client questions. */
  readonly mayAsk: ReadonlySet<string>;
  /** How it asks: with requests of its own, or with `writeInputRequired` in place of the answer. */
  readonly questions: 'requests' | 'results';
  /** The writer of a server's answers: compiled once for each object that describes a server, and cached as long as that object lives. */
  writerFor(server: Implementation): ResultWriter;
  /** An error with the code of this revision, for a request that is refused before its method runs. */
  writeError(error: ProtocolError): ErrorObject;
  /** Capabilities that this request needs, and that the client did not declare or the revision does not have. */
  missingCapabilities(request: ServerRequest, declared: ClientCapabilities): ClientCapabilities | undefined;
  /** Writes a request of the server; call it only if no capability is missing. */
  writeServerRequest(request: ServerRequest): WrittenServerRequest;
  /** Client: raw `params` of a request of the server -> neutral parameters. Throws `ProtocolError('invalid-params')` naming the member. */
  readServerRequest<M extends ServerMethod>(method: M, params: JsonObject | undefined): ServerParamsOf<M>;
  /** Client: a neutral result -> the `result` of a request of the server, with only the members that the revision knows. */
  writeServerResult<M extends ServerMethod>(method: M, result: ServerResultOf<M>): JsonObject;
  /** The result that a client sent for it -> the neutral result. Throws `ProtocolError('invalid-params')` naming the member. */
  readServerResult<M extends ServerMethod>(request: ServerRequest<M>, result: JsonObject): ServerResultOf<M>;
  /** Writes a notification; undefined if the revision does not have it. */
  writeNotification(notification: ServerNotification): JsonRpcNotification | undefined;
  /** The `id` member of an error response to a message whose id could not be read: null, or absent. */
  readonly unreadableId: null | undefined;
  /** Streamable HTTP. */
  readonly http: HttpRules;
}
