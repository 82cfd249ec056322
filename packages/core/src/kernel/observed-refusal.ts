/** A refusal of a message, as observers see it; made only for a server with observers. */
import type { ErrorObject } from '@sigil-mcp/protocol';
import type { Exchange } from '../calls/exchange';
import type { ObservedRefusal } from '../context/observer';
import { limitOf } from '../errors/exceeded-limit';

/** What was thrown, and what was sent for it. */
interface SentError {
  readonly error: unknown;
  readonly written: ErrorObject;
}

/** Describes a refusal on a transport without statuses. */
export function observedRefusal(
  { error, written: { code, message } }: SentError,
  { caller, headers, address }: Pick<Exchange, 'caller' | 'headers' | 'address'>,
): ObservedRefusal {
  return { status: undefined, code, message, limit: limitOf(error), error, caller, headers, address };
}
