/** Whose turn and whose share a call is: one answer for all limits and queues that clients share. */
import type { RunningCall } from './running-call';

/** The key of its client, which is the same for all of its requests, sessions and connections. */
export function countedFor({ conversation, exchange, services }: RunningCall): string {
  return conversation.running.load.client ?? services.account.clientOf(exchange.caller.principal, exchange.address);
}
