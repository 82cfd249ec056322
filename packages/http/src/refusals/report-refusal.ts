/** Refusals of HTTP, as observers of the server see them; called only for a server with observers. */
import { readAddress, type Caller, type Observers } from '@sigil-mcp/core/adapter';
import { withoutToken } from '../call';
import type { HttpRequest } from '../port';
import type { Refusal } from './refusal';

/** A refusal, and what was thrown for it. */
export interface ThrownRefusal {
  readonly refusal: Refusal;
  readonly error: unknown;
}

/** The request that is refused. */
export interface RefusedRequest {
  readonly caller: Caller;
  readonly request: Pick<HttpRequest, 'headers' | 'address'>;
}

/** Reports that a request is refused, and first, if that is so, that its body could not be read. */
export function reportRefusal(
  { refusal, error }: ThrownRefusal,
  { caller, request }: RefusedRequest,
  observers: Observers,
): void {
  const { status, limit, isUnreadable } = refusal;
  const { code, message } = refusal.error;
  if (isUnreadable) observers.unreadable(refusal.error, limit, true);
  const address = readAddress(request.address);
  observers.refused({ status, code, message, limit, error, caller, headers: withoutToken(request.headers), address });
}
