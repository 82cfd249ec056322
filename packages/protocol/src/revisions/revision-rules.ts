/** A revision as data: `compileRevision` compiles it, and a later revision changes parts of it. */
import type { ErrorName } from '../jsonrpc/error-codes';
import type { Method } from '../model/operations';
import type { ServerMethod } from '../model/server-requests';
import type { FieldTable } from './nouns';
import type { HttpRules, Revision } from './revision';

/** Everything a revision says about the wire. */
export interface RevisionRules {
  readonly version: string;
  readonly lifecycle: Revision['lifecycle'];
  /** Whether JSON-RPC batches are served. */
  readonly batches: boolean;
  /** Requests of a client. */
  readonly requests: readonly Method[];
  /** Notifications of a client. */
  readonly notifications: readonly string[];
  /** What a server may ask of a client. */
  readonly serverRequests: readonly ServerMethod[];
  /** Requests that may be answered with questions instead of a result. */
  readonly inputRequiredResults: readonly Method[];
  /** The fields of a form: all kinds, or only text, numbers, booleans and single choices as 2025-06-18 writes them. */
  readonly formFields: 'plain' | 'rich';
  /** The members of each noun; what is not here is not written. A kind of content without an entry becomes text. */
  readonly fields: FieldTable;
  /**
   * What the schema of a tool's output, and so its structured content, may be: only an object at the root (others are
   * wrapped as `{ result }`), or any JSON. `object` also means that the properties of a listed schema are objects,
   * never `true` or `false`.
   */
  readonly toolSchemas: 'object' | 'any';
  /** How tool arguments that do not fit are reported: as an error, or as a result that a model can learn from. */
  readonly invalidToolArguments: 'error' | 'result';
  /** Whether results are bare, or say that they are complete and which server wrote them. */
  readonly resultEnvelope: 'bare' | 'complete';
  /** Results that say how long they may be cached. */
  readonly cacheableResults: readonly Method[];
  /** The number of every error of the catalogue. */
  readonly errorCodes: Readonly<Record<ErrorName, number>>;
  /** The id of an error response to a message whose id could not be read. */
  readonly unreadableId: null | undefined;
  /** Streamable HTTP. */
  readonly http: HttpRules;
}

/** What a revision changes in the one before. What it does not mention stays. */
export interface RevisionDelta extends Partial<
  Omit<RevisionRules, 'version' | 'requests' | 'notifications' | 'serverRequests' | 'fields' | 'errorCodes' | 'http'>
> {
  readonly version: string;
  readonly adds?: {
    readonly requests?: readonly Method[];
    readonly notifications?: readonly string[];
    readonly serverRequests?: readonly ServerMethod[];
    /** Members of nouns that were there, and nouns that were not. */
    readonly fields?: FieldTable;
  };
  readonly removes?: {
    readonly requests?: readonly Method[];
    readonly notifications?: readonly string[];
    /** Members of nouns; a noun that loses all of them is gone. */
    readonly fields?: FieldTable;
  };
  readonly errorCodes?: Partial<RevisionRules['errorCodes']>;
  readonly http?: Partial<HttpRules>;
}
