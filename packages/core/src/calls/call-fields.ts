/** The fields of a call in the server's own log, so that its lines can be found. */
import { createHash } from 'node:crypto';
import type { RequestId } from '@sigil-mcp/protocol';
import type { Caller } from '../context/caller';
import type { RequestHeaders } from '../context/mcp-context';

/** The line about what was made for a call and could not be let go. */
export const NOT_STOPPED = 'what was made for the call did not stop';

/** A call, or as much as is known of a request that did not become one. */
export interface LoggedCall {
  readonly method: string;
  readonly entry?: { readonly key: string; readonly alias?: string } | undefined;
  readonly id?: RequestId;
  readonly exchange?: { readonly headers: RequestHeaders; readonly caller: Pick<Caller, 'id' | 'isAuthenticated'> };
}

/** Characters of a session's digest: enough to tell sessions apart. */
const DIGEST = 12;

/**
 * The fields of a line: method, entry, its old name, id of the request, session and caller, as far as there are such. The session is a digest:
 * its id is a credential.
 */
export function callFields({ method, entry, id, exchange }: LoggedCall): object {
  const session = exchange?.headers['mcp-session-id'];
  return {
    method,
    ...(entry && { entry: entry.key }),
    ...(entry?.alias !== undefined && { alias: entry.alias }),
    ...(id !== undefined && { id }),
    ...(typeof session === 'string' && { session: digestOf(session) }),
    ...(exchange?.caller.isAuthenticated && { caller: exchange.caller.id }),
  };
}

function digestOf(session: string): string {
  return createHash('sha256').update(session).digest('base64url').slice(0, DIGEST);
}
