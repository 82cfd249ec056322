/** A call as JSON, for running it again without its request: in another process, or after a restart. */
import type { JsonObject, Meta } from '@sigil-mcp/protocol';
import type { CallMemory } from '../asking/call-memory';
import { sigilError } from '../errors/catalogue';
import type { Notes } from '../context/observer';
import { ANONYMOUS, Caller, WITHOUT_TOKEN, type CallerKind } from '../context/caller';

/** The caller of a recorded call: who it is, and what it may do. Never a token, and nothing about when one expires. */
export interface CallerRecord {
  readonly id: string;
  readonly kind: CallerKind;
  readonly clientId?: string;
  readonly issuer?: string;
  /** Left out for a `local` caller with every scope. */
  readonly scopes?: readonly string[];
  /** Left out for a `local` caller with every role. */
  readonly roles?: readonly string[];
  readonly claims?: JsonObject;
  /** Whether it is a caller without a token, of a server that requires tokens; not, if left out. */
  readonly isWithoutToken?: boolean;
}

/** All that is needed to run a call again. */
export interface CallRecord {
  /** The date of its revision. */
  readonly revision: string;
  readonly method: 'tools/call';
  /** `name` and `arguments`, as the client sent them. */
  readonly params: JsonObject;
  /** `params._meta`, with the capabilities of the client. */
  readonly meta: Meta;
  readonly caller: CallerRecord;
  readonly memory: CallMemory;
  /** What observers have noted, by their names; left out for nothing. */
  readonly notes?: Notes;
}

/** A caller as JSON. Claims that JSON cannot hold are left out. */
export function recordCaller(caller: Caller): CallerRecord {
  const { id, kind, clientId, issuer, scopes, roles, claims } = caller;
  if (caller === ANONYMOUS) return { id, kind };
  if (caller === WITHOUT_TOKEN) return { id, kind, isWithoutToken: true };
  return {
    id,
    kind,
    ...(clientId !== undefined && { clientId }),
    ...(issuer !== undefined && { issuer }),
    ...(!caller.hasEveryScope && { scopes }),
    ...(!caller.hasEveryRole && { roles }),
    // Frozen copies of JSON, or of what JSON leaves out.
    claims: JSON.parse(JSON.stringify(claims)) as JsonObject,
  };
}

/** The caller of a record. */
export function callerOf({ isWithoutToken = false, ...record }: CallerRecord): Caller {
  if (isWithoutToken) return WITHOUT_TOKEN;
  return record.kind === 'anonymous' ? ANONYMOUS : new Caller(record);
}

/** The parts of a call that are recorded. */
export interface RecordableCall {
  readonly method: string;
  /** Neutral parameters. */
  readonly params: object;
  readonly meta: { readonly all: Meta };
  readonly revision: { readonly version: string };
  readonly exchange: { readonly caller: Caller };
  readonly memory: CallMemory;
  readonly observation: { readonly notes: Notes | undefined } | undefined;
}

/** A call of a tool as JSON. */
export function recordCall(call: RecordableCall): CallRecord {
  const { method, params, meta, revision, exchange, memory } = call;
  if (method !== 'tools/call') throw sigilError('SIGIL_RECORDED_CALL', { method });
  const notes = call.observation?.notes;
  return {
    revision: revision.version,
    method,
    // The name and the arguments are JSON, as the client sent them.
    params: { ...params },
    meta: meta.all,
    caller: recordCaller(exchange.caller),
    memory,
    ...(notes && { notes }),
  };
}
