/** The format of records. Members are always in the order of these interfaces; those that do not apply are left out. */

/** Of every record. */
export interface RecordHead<Kind extends string> {
  /** Of this format. */
  readonly version: 1;
  readonly kind: Kind;
  /** Different for each record; a record that is delivered twice has the same id both times. */
  readonly id: string;
  /** When it began, in UTC, such as `2026-11-24T15:00:00.000Z`. */
  readonly time: string;
}

/** At the end of each record of a chain. */
export interface RecordSeal {
  readonly sequence?: number;
  /** The hash of the record before; empty for the first of a chain. */
  readonly previous?: string;
  readonly hash?: string;
}

/** Names, or their number and a digest if they are many. */
export type NameList = readonly string[] | 'all' | { readonly count: number; readonly digest: string };

/** Who asks, as far as the transport has proven it. */
export interface AuditedCaller {
  readonly id: string;
  readonly kind: 'user' | 'client' | 'anonymous' | 'local';
  readonly issuer?: string;
  /** The OAuth client. */
  readonly client?: string;
  readonly tenant?: string;
  readonly scopes?: NameList;
  readonly roles?: NameList;
}

/** The program that asks, as it describes itself, and where it is. */
export interface AuditedClient {
  readonly name?: string;
  readonly version?: string;
  readonly address?: string;
}

/** A guard, and what it decided. */
export interface AuditedGuard {
  /** The name of its class. */
  readonly name: string;
  /** `refused`: as if the entry did not exist. `denied`: with a reason for the caller. */
  readonly verdict: 'allowed' | 'refused' | 'denied';
  /** The reason of a denial: the name of a protocol error, such as `invalid-request`, or a JSON-RPC code. */
  readonly reason?: string | number;
  /** The HTTP status of a denial. */
  readonly status?: number;
  /** The option that sets the limit which the caller has reached. */
  readonly limit?: string;
}

/** A question to the client. */
export interface AuditedQuestion {
  /** Such as `elicitation/create`. */
  readonly kind: string;
  readonly outcome: 'accept' | 'decline' | 'cancel' | 'answered' | 'pending' | 'failed';
  readonly ms: number;
}

/** A request that was answered, or needs no answer. */
export interface RequestRecord extends RecordHead<'request'>, RecordSeal {
  /** The id of the record of the first request of the same call, or of the request that a task was made of. */
  readonly first?: string;
  /** The id of the record of the request that has run the call itself, or of the first request of it. */
  readonly within?: string;
  readonly caller: AuditedCaller;
  readonly client?: AuditedClient;
  /** A digest of the id of the session. */
  readonly session?: string;
  /** `background`: it runs without its request, as a task does. */
  readonly transport: 'http' | 'stdio' | 'memory' | 'background';
  readonly revision: string;
  /** Null if the server has no such method. */
  readonly method: string | null;
  /**
   * As registered, a template by its URI template, with the old name of a tool if it was called by that (`alias`); null if the request is
   * about an entry that the server does not have.
   */
  readonly entry?: { readonly kind: string; readonly key: string; readonly alias?: string } | null;
  /** How often the handler was started for this call, if more than once. */
  readonly round?: number;
  /** HMAC of the arguments, or of the other parameters. */
  readonly arguments?: string;
  readonly guards?: readonly AuditedGuard[];
  readonly questions?: readonly AuditedQuestion[];
  readonly outcome: 'result' | 'tool_error' | 'denied' | 'error' | 'cancelled' | 'question';
  /** The JSON-RPC code that was sent. */
  readonly code?: number;
  /** The option that sets the limit which the client has reached. */
  readonly limit?: string;
  /** Milliseconds. */
  readonly ms: number;
}

/** A request that was refused before it started. */
export interface RefusalRecord extends RecordHead<'refused'>, RecordSeal {
  readonly caller: AuditedCaller;
  readonly client?: Pick<AuditedClient, 'address'>;
  /** The HTTP status. */
  readonly status?: number;
  readonly code: number;
  readonly limit?: string;
}

/** A text that is no valid message. */
export interface UnreadableRecord extends RecordHead<'unreadable'>, RecordSeal {
  readonly code: number;
  readonly limit?: string;
}

/** The audit starts. */
export interface StartRecord extends RecordHead<'started'>, RecordSeal {
  readonly server: { readonly name: string; readonly version: string };
  readonly sink: string;
  /** Tells which secret is used. */
  readonly key: string;
  /** Bytes of a last record that was cut off by a crash, and has been removed. */
  readonly torn?: number;
}

/** The audit ends. */
export type StopRecord = RecordHead<'stopped'> & RecordSeal;

/** Records that the sink could not take. */
export interface LossRecord extends RecordHead<'lost'>, RecordSeal {
  readonly count: number;
  /** When the first of them ended. */
  readonly from: string;
  /** When the last of them ended. */
  readonly to: string;
}

/** A record. */
export type AuditRecord = RequestRecord | RefusalRecord | UnreadableRecord | StartRecord | StopRecord | LossRecord;
