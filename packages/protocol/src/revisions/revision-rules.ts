/** A revision as data: `compileRevision` compiles it, and a later revision changes parts of it. */
import type { ErrorName } from '../jsonrpc/protocol-error';
import type { Operation, NotificationOperation, ResultType, ServerOperation } from '../operations/operation';
import type { FieldTable } from '../rules/nouns';
import type { WireRules, MetaKey } from '../rules/wire-rules';

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
