/**
 * The contract of a protocol revision: one value that reads requests into the neutral model and writes results from it.
 * All differences between revisions on the wire are behind it; differences in behaviour belong to the conversations.
 */
import type { ErrorObject, JsonObject, JsonRpcNotification } from '../jsonrpc/message';
import type { ErrorName, ProtocolError } from '../jsonrpc/protocol-error';
import type { ClientCapabilities } from '../model/lifecycle';
import type { Implementation, Meta } from '../model/metadata';
import type { LogLevel, ProgressToken, ServerNotification } from '../model/notifications';
import type { InputRequiredResult, RequestRetry, WrittenServerRequest } from '../model/server-requests';
import type {
  Method,
  ParamsOf,
  ResultOf,
  ServerMethod,
  ServerParamsOf,
  ServerRequest,
  ServerResultOf,
} from '../operations/all-operations';
import type {
  NotificationOperation,
  Operation,
  ResultType,
  ServerOperation,
  TypedResult,
} from '../operations/operation';
import type { FieldTable, MetaKey, WireRules } from '../rules/wire-rules';

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

// A revision as data: `compileRevision` compiles it, and a later revision changes parts of it.

/** The Streamable HTTP rules of a revision, where the revisions differ. */
export interface HttpRules {
  /** Headers, in lower case, that the POST of a request must carry: a request without them is refused as a header mismatch. */
  readonly requiredHeaders: readonly string[];
  /**
   * Request -> the parameter that its `Mcp-Name` header repeats, Base64 unwrapped: a request that has the parameter is
   * refused as a header mismatch if the header is missing or has another value.
   */
  readonly nameHeader: ReadonlyMap<string, string>;
  /** Whether tool arguments that the schema marks are repeated in `Mcp-Param-*` headers: a call that disagrees is refused. */
  readonly mirrorsArguments: boolean;
  /**
   * Whether the revision has an `MCP-Protocol-Version` header. If it has, a request whose header names another version than the
   * one that it is answered in is refused. If not, the header is ignored.
   */
  readonly versionHeader: boolean;
  /** Whether the answer to `initialize` opens a session with an `Mcp-Session-Id`, which DELETE ends. */
  readonly sessions: boolean;
  /** Whether GET opens a stream for messages that the server sends on its own; if not, GET is answered with 405. */
  readonly getStream: boolean;
  /** Whether events have ids, and GET with a `Last-Event-ID` resumes the stream that broke. */
  readonly replay: boolean;
  /** Whether a stream opens with an empty event and a `retry`, so that the server may close it and the client polls. */
  readonly polling: boolean;
  /** Whether a connection that closes early cancels the request that it carried; if not, the request runs on. */
  readonly disconnectCancels: boolean;
  /** The HTTP status of an error response, by JSON-RPC code; 200 for the rest. */
  readonly errorStatus: Readonly<Record<number, number>>;
}

/** Everything a revision says about the wire. */
export interface RevisionRules extends WireRules {
  /** How a client and a server negotiate: once with `initialize`, or in each request. */
  readonly lifecycle: 'handshake' | 'per-request';
  /** Whether JSON-RPC batches are served. */
  readonly batches: boolean;
  /** Requests of a client. */
  readonly requests: readonly Operation[];
  /** Notifications of a client. */
  readonly notifications: readonly string[];
  /** Notifications of extensions that a client sends. */
  readonly clientNotifications: readonly NotificationOperation[];
  /** Notifications of extensions that a server sends. */
  readonly serverNotifications: readonly NotificationOperation[];
  /** Keys of extensions in `_meta` of requests. */
  readonly metaKeys: readonly MetaKey[];
  /** Results of extensions in place of complete ones; not written by a revision whose results are bare. */
  readonly resultTypes: readonly ResultType[];
  /** The error of a request of an extension that the client did not declare. */
  readonly undeclaredExtension: ErrorName;
  /** What a server may ask of a client. */
  readonly serverRequests: readonly ServerOperation[];
  /** How a server asks: with requests of its own, or with a result in place of the answer, after which the client sends its request again. */
  readonly questions: 'requests' | 'results';
  /** Whether results are bare, or say that they are complete, which server wrote them, and how long they may be cached. */
  readonly resultEnvelope: 'bare' | 'complete';
  /** The number of every error of the catalogue. */
  readonly errorCodes: Readonly<Record<ErrorName, number>>;
  /** The id of an error response to a message whose id could not be read. */
  readonly unreadableId: null | undefined;
  /** Streamable HTTP. */
  readonly http: RevisionHttpRules;
}

/** The Streamable HTTP rules of a revision as data: which parameter a header repeats is said by each operation. */
export interface RevisionHttpRules extends Omit<HttpRules, 'nameHeader'> {
  /** Whether requests have an `Mcp-Name` header. */
  readonly nameHeader: boolean;
}

/** The parts of a revision that are lists, each of which a later revision or an extension may add to. */
type Added = Pick<
  RevisionRules,
  | 'requests'
  | 'notifications'
  | 'clientNotifications'
  | 'serverNotifications'
  | 'metaKeys'
  | 'resultTypes'
  | 'serverRequests'
  | 'listenFields'
>;

/** What a revision changes in the one before, or what an extension adds to it. What it does not mention stays. */
export interface RevisionDelta extends Partial<
  Omit<RevisionRules, 'version' | keyof Added | 'fields' | 'errorCodes' | 'http'>
> {
  /** The date of the later revision; the same one if left out, for an extension. */
  readonly version?: string;
  readonly adds?: Partial<Added> & {
    /** Members of nouns that were there, and nouns that were not. */
    readonly fields?: FieldTable;
  };
  readonly removes?: {
    readonly requests?: readonly Operation[];
    readonly notifications?: readonly string[];
    /** Members of nouns; a noun that loses all of them is gone. */
    readonly fields?: FieldTable;
  };
  readonly errorCodes?: Partial<RevisionRules['errorCodes']>;
  readonly http?: Partial<RevisionHttpRules>;
}
