/** A revision as data: `compileRevision` compiles it, and a later revision changes parts of it. */
import type { ErrorName } from '../jsonrpc/error-codes';
import type { NotificationOperation } from '../operations/notification-operation';
import type { Operation } from '../operations/operation';
import type { ResultType } from '../operations/result-type';
import type { ServerOperation } from '../operations/server-operation';
import type { MetaKey } from '../rules/meta-key';
import type { FieldTable } from '../rules/nouns';
import type { WireRules } from '../rules/wire-rules';
import type { HttpRules } from './http-rules';

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
