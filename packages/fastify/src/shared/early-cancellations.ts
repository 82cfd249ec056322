/**
 * Cancellations that have come before what they cancel: a client sends both at once, and they reach an instance by different ways. They are
 * remembered for a moment, for whoever takes the request.
 */
import type { Clock } from '@sigil-mcp/core/adapter';
import type { InboundNotification, RequestId } from '@sigil-mcp/protocol';

/** Milliseconds for which one is remembered. */
const REMEMBERED = 2000;
/** Of one session: with more than that the oldest are forgotten. */
const MOST_OF_SESSION = 16;
/** Sessions that have some: with more than that the one is forgotten that has had the last of them for longest. */
const MOST_SESSIONS = 1000;

/** Characters of the reason of a cancellation that are told. */
const LONGEST_REASON = 200;
/** Characters that the id of a request may have which is cancelled at another instance. */
const LONGEST_ID = 1000;

interface Early {
  readonly id: RequestId;
  readonly cancellation: InboundNotification;
  readonly until: number;
}

/** Knows sessions by their ids: the instance may be yet to see them. */
export class EarlyCancellations {
  /** In the order of their newest ones. */
  readonly #sessions = new Map<string, readonly Early[]>();

  constructor(private readonly clock: Clock) {}

  /** How many sessions have some. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Remembers what cancels a request that nobody knows here. */
  add(session: string, id: RequestId, cancellation: InboundNotification): void {
    const now = this.clock.elapsed();
    this.#forget(now);
    const others = (this.#sessions.get(session) ?? []).filter((other) => other.id !== id && other.until > now);
    this.#sessions.delete(session);
    this.#sessions.set(session, [...others, { id, cancellation, until: now + REMEMBERED }].slice(-MOST_OF_SESSION));
  }

  /** What cancels a request that has come now, which is remembered no longer; undefined for most. */
  take(session: string, id: RequestId): InboundNotification | undefined {
    if (this.#sessions.size === 0) return undefined;
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

/** The id of the request that a notification cancels; undefined for any other, and for what is no id of a request. */
export function cancelledBy({ method, params }: InboundNotification): RequestId | undefined {
  const id = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
  const isId = typeof id === 'number' || (typeof id === 'string' && id.length <= LONGEST_ID);
  return isId ? id : undefined;
}

/** A cancellation as all instances are told of it: what nobody reads is not kept for all. */
export function shortened({ kind, method, params }: InboundNotification, requestId: RequestId): InboundNotification {
  const { reason } = params ?? {};
  const short = typeof reason === 'string' ? { reason: reason.slice(0, LONGEST_REASON) } : {};
  return { kind, method, params: { requestId, ...short } };
}
