/**
 * Messages of clients that concern work at another instance: answers to questions, and cancellations. A request may arrive anywhere, so
 * they are passed on to where their work is.
 */
import { askerOf, isPromise, type Clock, type Kernel, type MaybePromise } from '@sigil-mcp/core/adapter';
import type { InboundMessage, InboundNotification, InboundResponse, JsonObject, RequestId } from '@sigil-mcp/protocol';
import type { Peers } from './peers';
import type { Session } from './session';

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

/** The messages that instances pass on. */
type PassedOn = InboundResponse | InboundNotification;

/** What the messages need. */
export interface ClientMessagesInit {
  /** The id of this instance. */
  readonly instance: string;
  readonly kernel: Kernel;
  readonly peers: Peers;
  readonly clock: Clock;
}

/** Passes messages on, and takes those that others have passed on. */
export class ClientMessages {
  readonly #early: EarlyCancellations;

  constructor(private readonly init: ClientMessagesInit) {
    this.#early = new EarlyCancellations(init.clock);
  }

  /** Passes a message of a client on to the instances that it may concern. Rejects with `StoreAway`. */
  passOn(session: Session, message: InboundMessage): MaybePromise<void> {
    const { instance, peers } = this.init;
    if (message.kind === 'response') {
      const asker = askerOf(message.id);
      return asker === undefined || asker === instance ? undefined : peers.sendReceived(asker, session, message);
    }
    const id = message.kind === 'notification' ? cancelledBy(message) : undefined;
    if (message.kind !== 'notification' || id === undefined || session.running.has(id)) return undefined;
    const cancellation = shortened(message, id);
    this.#early.add(session.id, id, cancellation);
    return peers.tellReceived(session, cancellation);
  }

  /** Like `passOn`, for a batch. */
  passOnAll(session: Session, messages: readonly InboundMessage[]): MaybePromise<void> {
    const passedOn = messages.map((message) => this.passOn(session, message)).filter(isPromise);
    return passedOn.length === 0 ? undefined : Promise.all(passedOn).then(() => undefined);
  }

  /** Requests have begun here: applies cancellations that arrived before them. */
  begun(session: Session, ids: readonly RequestId[]): void {
    if (this.#early.size === 0) return;
    for (const id of ids) {
      const cancelled = this.#early.take(session.id, id);
      if (cancelled) this.init.kernel.notice(cancelled, session.conversation);
    }
  }

  /** Handles a message that the client has sent to another instance; unless it concerns this one, it has no effect. */
  receive({ id, conversation }: Session, message: JsonObject): void {
    const received = message as unknown as PassedOn;
    if (received.kind === 'response') conversation.lasting?.acceptResponse(received);
    else if (received.kind === 'notification') {
      const cancelled = cancelledBy(received);
      if (cancelled === undefined || conversation.running.has(cancelled))
        this.init.kernel.notice(received, conversation);
      else this.#early.add(id, cancelled, received);
    }
  }

  /** Like `receive`, for a session that is not known here, but may be soon. */
  receiveEarly(session: string, message: JsonObject): void {
    const received = message as unknown as PassedOn;
    const cancelled = received.kind === 'notification' ? cancelledBy(received) : undefined;
    if (cancelled !== undefined) this.#early.add(session, cancelled, received as InboundNotification);
  }
}

/** The request id in a cancellation; undefined for other notifications and for invalid ids. */
function cancelledBy({ method, params }: InboundNotification): RequestId | undefined {
  const id = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
  const isId = typeof id === 'number' || (typeof id === 'string' && id.length <= LONGEST_ID);
  return isId ? id : undefined;
}

/** A cancellation for all instances: without the parts that they do not read. */
function shortened({ kind, method, params }: InboundNotification, requestId: RequestId): InboundNotification {
  const { reason } = params ?? {};
  const short = typeof reason === 'string' ? { reason: reason.slice(0, LONGEST_REASON) } : {};
  return { kind, method, params: { requestId, ...short } };
}
