/** Whom a request counts for: everything that one principal, or one address, holds counts together, over all of its sessions. */
import type { Account } from '@sigil-mcp/core/adapter';
import type { HttpCall } from './call';

/** The key of the client that sends a request, or opens a session with it. */
export function clientOf({ caller, request }: Pick<HttpCall, 'caller' | 'request'>, account: Account): string {
  return account.clientOf(caller.principal, request.address);
}
