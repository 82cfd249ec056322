/**
 * Cancellations that arrive before their requests: a client sends both at once, and they may reach an instance over different paths. They
 * are remembered for a moment, until the request arrives.
 */
import type { Clock } from '@sigil-mcp/core/adapter';
import type { InboundNotification, RequestId } from '@sigil-mcp/protocol';

/** Milliseconds for which a cancellation is remembered. */
const REMEMBERED = 2000;
/** For one session: with more, the oldest are forgotten. */
const MOST_OF_SESSION = 16;
/** Sessions with cancellations: with more, the one whose newest cancellation is oldest is forgotten. */
const MOST_SESSIONS = 1000;

/** The longest reason of a cancellation that is passed on, in characters. */
const LONGEST_REASON = 200;
/** The longest request id that can be cancelled at another instance, in characters. */
const LONGEST_ID = 1000;

interface Early {
  readonly id: RequestId;
  readonly cancellation: InboundNotification;
  readonly until: number;
}

/** Stores cancellations by session id, because this instance may not know the session yet. */
export class EarlyCancellations {
  /** In the order of their newest cancellations. */
  readonly #sessions = new Map<string, readonly Early[]>();

  constructor(private readonly clock: Clock) {}

  /** The number of sessions with cancellations. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Remembers the cancellation of a request that is unknown here. */
  add(session: string, id: RequestId, cancellation: InboundNotification): void {
    const now = this.clock.elapsed();
    this.#forget(now);
    const others = (this.#sessions.get(session) ?? []).filter((other) => other.id !== id && other.until > now);
    this.#sessions.delete(session);
    this.#sessions.set(session, [...others, { id, cancellation, until: now + REMEMBERED }].slice(-MOST_OF_SESSION));
  }

  /** Takes the cancellation of a request that has arrived; undefined for most requests. */
  take(session: string, id: RequestId): InboundNotification | undefined {
    const all = this.#sessions.get(session);
    const found = all?.find((one) => one.id === id);
    if (!all || !found) return undefined;
    const others = all.filter((one) => one !== found);
    if (others.length > 0) this.#sessions.set(session, others);
    else this.#sessions.delete(session);
    return found.until > this.clock.elapsed() ? found.cancellation : undefined;
  }

  #forget(now: number): void {
    for (const [session, all] of this.#sessions) {
      const newest = all.at(-1)?.until ?? 0;
      if (newest > now && this.#sessions.size < MOST_SESSIONS) return;
      this.#sessions.delete(session);
    }
  }
}

/** The request id in a cancellation; undefined for other notifications and for invalid ids. */
export function cancelledBy({ method, params }: InboundNotification): RequestId | undefined {
  const id = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
  const isId = typeof id === 'number' || (typeof id === 'string' && id.length <= LONGEST_ID);
  return isId ? id : undefined;
}

/** A cancellation for all instances: without the parts that they do not read. */
export function shortened({ kind, method, params }: InboundNotification, requestId: RequestId): InboundNotification {
  const { reason } = params ?? {};
  const short = typeof reason === 'string' ? { reason: reason.slice(0, LONGEST_REASON) } : {};
  return { kind, method, params: { requestId, ...short } };
}
