/**
 * The contract of a protocol revision: one value that reads requests into the neutral words and writes results out of
 * them. All that differs between revisions on the wire is behind it; what differs in behaviour is a conversation's
 * matter.
 */
import type { ErrorObject, JsonObject, JsonRpcNotification } from '../jsonrpc/message';
import type { ProtocolError } from '../jsonrpc/protocol-error';
import type { ClientCapabilities } from '../model/lifecycle';
import type { LogLevel } from '../model/logging';
import type { Implementation, Meta } from '../model/metadata';
import type { ProgressToken, ServerNotification } from '../model/notifications';
import type { Method, ParamsOf, ResultOf } from '../model/operations';
import type {
  InputRequiredResult,
  RequestRetry,
  ServerMethod,
  ServerRequest,
  ServerResultOf,
  WrittenServerRequest,
} from '../model/server-requests';

/** What travels beside the parameters of one request, in `params._meta`. */
export interface RequestMeta {
  readonly progressToken?: ProgressToken;
  /** Set only where the revision carries the level with each request. */
  readonly logLevel?: LogLevel;
  /** Set only where the revision carries them with each request. */
  readonly client?: { readonly info: Implementation | undefined; readonly capabilities: ClientCapabilities };
  /** All of `params._meta`, as it came. */
  readonly all: Meta;
}

/** What a failed request is answered with: an error, or a result that says so (invalid tool arguments, in some). */
export type WrittenFailure =
  | { readonly error: ErrorObject; readonly result?: undefined }
  | { readonly result: JsonObject; readonly error?: undefined };

/** Writes the answers of one server, whose name and version some revisions put into every result. */
export interface ResultWriter {
  /** A neutral result -> the `result` member, with only what the revision knows. */
  writeResult<M extends Method>(method: M, result: ResultOf<M>): JsonObject;
  /** The `result` member as JSON text, which is what a response needs. Throws what `JSON.stringify` throws. */
  writeResultText<M extends Method>(method: M, result: ResultOf<M>): string;
  /** The result that asks instead of answering. */
  writeInputRequired(result: InputRequiredResult): JsonObject;
  /** An error as the revision numbers it; `InvalidArguments` of `tools/call` are a result where it wants that. */
  writeFailure(error: ProtocolError, method: string): WrittenFailure;
}

/** The Streamable HTTP rules of a revision: what a server does where the revisions differ. */
export interface HttpRules {
  /** Headers, in lower case, that the POST of a request must carry: one without them is refused as a header mismatch. */
  readonly requiredHeaders: readonly string[];
  /**
   * Request -> the parameter that its `Mcp-Name` header repeats, Base64 unwrapped: a request that has the parameter is
   * refused as a header mismatch where the header is missing or says something else.
   */
  readonly nameHeader: ReadonlyMap<string, string>;
  /** Whether arguments of a tool that its schema marks are repeated in `Mcp-Param-*` headers: a call that disagrees is refused. */
  readonly mirrorsArguments: boolean;
  /**
   * Whether the revision has an `MCP-Protocol-Version` header. Where it has, a request with another version than the one
   * that it is answered in is refused; where not, such a header means nothing, and is not looked at.
   */
  readonly versionHeader: boolean;
  /** Whether the answer to `initialize` opens a session with an `Mcp-Session-Id`, which DELETE ends. */
  readonly sessions: boolean;
  /** Whether GET opens a stream for what the server says on its own; where not, it is answered with 405. */
  readonly getStream: boolean;
  /** Whether events have ids, and GET with a `Last-Event-ID` takes up the stream that broke. */
  readonly replay: boolean;
  /** Whether a stream opens with an empty event and a `retry`, so that the server may close it and the client polls. */
  readonly polling: boolean;
  /** Whether a connection that closes early cancels the request that it carried; where not, the request runs on. */
  readonly disconnectCancels: boolean;
  /** The HTTP status of an error response, by JSON-RPC code; 200 for the rest. */
  readonly errorStatus: Readonly<Record<number, number>>;
}

/** One revision of the specification. */
export interface Revision {
  /** Its date, as it is negotiated. */
  readonly version: string;
  /** How a client and a server meet: with `initialize`, or anew in each request. */
  readonly lifecycle: 'handshake' | 'per-request';
  /** Whether JSON-RPC batches are served. */
  readonly batches: boolean;
  /** Requests of the model (`Method`) that it knows; what is absent is answered with "method not found". */
  readonly requests: ReadonlySet<string>;
  /** Client notifications it knows; others are ignored. */
  readonly notifications: ReadonlySet<string>;
  /** `params` as they came -> neutral parameters. Throws `ProtocolError('invalid-params')` naming the member. */
  readRequest<M extends Method>(method: M, params: JsonObject | undefined): ParamsOf<M>;
  /** `params._meta` of a request. Throws `ProtocolError('invalid-params')` where a member is missing or malformed. */
  readMeta(params: JsonObject | undefined): RequestMeta;
  /** What a request brings that was sent again after a result that asked; undefined for all others. Throws `ProtocolError('invalid-params')`. */
  readRetry(method: Method, params: JsonObject | undefined): RequestRetry | undefined;
  /** Requests that may be answered with `writeInputRequired`. */
  readonly inputRequiredResults: ReadonlySet<string>;
  /** The writer of a server's answers: compiled once for each object that describes a server, and kept as long as it. */
  writerFor(server: Implementation): ResultWriter;
  /** An error as this revision numbers it: of a request that is refused before any method could give it a result. */
  writeError(error: ProtocolError): ErrorObject;
  /** What a client lacks to be asked this: capabilities it did not declare, or that the revision does not have. */
  missingCapabilities(request: ServerRequest, declared: ClientCapabilities): ClientCapabilities | undefined;
  /** A request of the server; only one that lacks no capability. */
  writeServerRequest(request: ServerRequest): WrittenServerRequest;
  /** The result that a client sent for it -> the neutral result. Throws `ProtocolError('invalid-params')` naming the member. */
  readServerResult<M extends ServerMethod>(request: ServerRequest<M>, result: JsonObject): ServerResultOf<M>;
  /** A notification; undefined where the revision has no word for it. */
  writeNotification(notification: ServerNotification): JsonRpcNotification | undefined;
  /** The `id` member of an error response to a message whose id could not be read: null, or absent. */
  readonly unreadableId: null | undefined;
  /** Streamable HTTP. */
  readonly http: HttpRules;
}
