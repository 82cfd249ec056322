/** The requests of a port that are open, and questions about them. */
import type { RequestId } from '@sigil-mcp/protocol';
import type { HeldExchange } from './held-exchange';
import type { HttpSession } from './http-session';
import { cancelledId, type MessageShape } from './message-shape';

/** The requests that have no end yet. */
export class OpenExchanges extends Set<HeldExchange> {
  /** Those whose clients wait for what only the current server can answer. */
  get unfinished(): HeldExchange[] {
    return [...this].filter(({ isUnfinished }) => isUnfinished);
  }

  /** Whether a request of a session runs. */
  isRunning(session: HttpSession, id: RequestId): boolean {
    const isOf = (exchange: HeldExchange): boolean => exchange.session === session && exchange.unanswered.has(id);
    return session.detached.has(id) || [...this].some(isOf);
  }

  /** Forgets requests that a client cancelled: it no longer waits for their answers. */
  noteCancelled(session: HttpSession, messages: readonly MessageShape[]): void {
    for (const id of messages.map(cancelledId)) {
      if (id === undefined) continue;
      session.detached.delete(id);
      for (const exchange of this) if (exchange.session === session) exchange.unanswered.delete(id);
    }
  }

  /** Sends a message to the client of a session, on any of its streams. */
  tell(session: HttpSession, text: string): void {
    [...this].some((exchange) => exchange.session === session && exchange.tells(text));
  }
}
