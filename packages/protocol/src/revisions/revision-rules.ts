/** A revision as data: `compileRevision` compiles it, and a later revision changes parts of it. */
import type { ErrorName } from '../jsonrpc/error-codes';
import type { Operation } from '../operations/operation';
import type { ServerOperation } from '../operations/server-operation';
import type { FieldTable } from '../rules/nouns';
import type { WireRules } from '../rules/wire-rules';
import type { HttpRules, Revision } from './revision';

/** Everything a revision says about the wire. */
export interface RevisionRules extends WireRules {
  readonly lifecycle: Revision['lifecycle'];
  /** Whether JSON-RPC batches are served. */
  readonly batches: boolean;
  /** Requests of a client. */
  readonly requests: readonly Operation[];
  /** Notifications of a client. */
  readonly notifications: readonly string[];
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

/** What a revision changes in the one before. What it does not mention stays. */
export interface RevisionDelta extends Partial<
  Omit<RevisionRules, 'version' | 'requests' | 'notifications' | 'serverRequests' | 'fields' | 'errorCodes' | 'http'>
> {
  readonly version: string;
  readonly adds?: {
    readonly requests?: readonly Operation[];
    readonly notifications?: readonly string[];
    readonly serverRequests?: readonly ServerOperation[];
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
