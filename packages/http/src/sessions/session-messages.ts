/**
 * The messages about sessions between the instances of a server: each is for the instances that work for the session. What a client sends may
 * arrive anywhere, so answers to questions and cancellations are passed on to where their work is.
 */
import type { Clock, Instance, MaybePromise, Kernel } from '@sigil-mcp/core/adapter';
import { TokenBuckets, andThen, askerOf, isPromise } from '@sigil-mcp/core/internal';
import type { JsonObject, InboundMessage, InboundNotification, InboundResponse, RequestId } from '@sigil-mcp/protocol';
import type { SessionWorkers } from '@sigil-mcp/core/stores';
import type { StreamLease, StreamSession } from '../streams/standalone-stream';
import type { Session } from './session';

/** A message about a session. */
interface SessionMessage {
  readonly session: string;
  readonly text?: string;
  readonly stream?: string;
}

/** Characters from which a message is long. */
const LONG = 10_000;
/**
 * The number of long messages that are sent to all instances because one of them is unreachable: the store keeps them for a while, and
 * a client may send many for instances that do not exist.
 */
const LONG_FOR_ALL = { calls: 20, per: 300_000 };
/** Milliseconds for which a message waits for an instance that has not reported its work yet. */
const WAITS = 10_000;

/** The other instances, for the sessions of one endpoint. */
export class Peers {
  readonly #longForAll: TokenBuckets;
  /** Undefined for a store that does not know them: all instances are then notified. */
  readonly #workers: SessionWorkers | undefined;

  constructor(
    private readonly instance: Instance,
    clock: Clock,
  ) {
    this.#workers = instance.stores.sessions.workers;
    this.#longForAll = new TokenBuckets(LONG_FOR_ALL, clock);
  }

  /** A session has changed: notifies the instances that work for it, and the one that holds its stream. */
  tellChanged({ id: session }: Pick<Session, 'id'>, text: string, { holder }: StreamLease): MaybePromise<void> {
    return this.#tellWorkers('session-changed', { session, ...(text.length <= LONG && { text }) }, holder);
  }

  /** A session has ended: notifies the instances that work for it, and the one that holds its stream. */
  tellEnded({ id: session }: Session, { holder }: StreamLease): MaybePromise<void> {
    return this.#tellWorkers('session-ended', { session }, holder);
  }

  /**
   * Sends a message of the client to the instances that may work on what it concerns. It waits for those that have not reported their work
   * yet.
   */
  tellReceived({ id: session }: Session, message: object): MaybePromise<void> {
    const body = { session, message };
    if (!this.#workers) return this.#tellAll('session-received', body);
    return andThen(this.#workers.note(session, JSON.stringify(message), WAITS), (workers) =>
      this.#reach(workers, 'session-received', body),
    );
  }

  /**
   * Sends a message of the client to one instance. An instance that seems dead may only be paused: the message is then sent to all, and
   * the instance receives it when it continues, unless there are too many. If it has died, its work has ended, too.
   */
  sendReceived(to: string, session: Session, message: object): MaybePromise<void> {
    const body = { session: session.id, message };
    return andThen(this.#sendTo([to], 'session-received', body), (isSent) => {
      if (isSent) return undefined;
      const isLong = JSON.stringify(message).length > LONG;
      return isLong && this.#longForAll.take('all') !== 0 ? undefined : this.#tellAll('session-received', body);
    });
  }

  /**
   * The client has resumed a stream here: the instance that writes it, and those where it was resumed before, stop sending on it. One that
   * is paused must know, too: it would wait for its old connection to be read.
   */
  tellTaken({ id: session }: StreamSession, stream: string, owner: string): MaybePromise<void> {
    const body = { session, stream };
    if (!this.#workers) return this.#tellAll('stream-taken', body);
    return andThen(this.#workers.of(session), (workers) => this.#reach([...workers, owner], 'stream-taken', body));
  }

  /** Like `tellTaken`, for a known holder. */
  async takeFrom(holder: string, { id: session }: StreamSession, stream: string): Promise<void> {
    await this.instance.send(holder, 'stream-taken', { session, stream, from: this.instance.id });
  }

  #tellAll(kind: string, body: object): MaybePromise<void> {
    // An instance ignores its own messages.
    if (this.instance.isAlone) return undefined;
    return this.instance.broadcast(kind, { ...body, from: this.instance.id });
  }

  /** Instances that seem dead are left out: when one of them continues, it reads its sessions again. */
  #tellWorkers(kind: string, body: SessionMessage, holder: string | undefined): MaybePromise<void> {
    if (!this.#workers) return this.#tellAll(kind, body);
    return andThen(this.#workers.of(body.session), (workers) =>
      andThen(this.#sendTo(holder === undefined ? workers : [...workers, holder], kind, body), () => undefined),
    );
  }

  /** One that seems dead may only be paused: it receives the messages to all instances when it continues. */
  #reach(instances: readonly string[], kind: string, body: object): MaybePromise<void> {
    return andThen(this.#sendTo(instances, kind, body), (areAlive) =>
      areAlive ? undefined : this.#tellAll(kind, body),
    );
  }

  /** Sends a message to other instances, once to each. Returns false if some of them are not alive. */
  #sendTo(instances: readonly string[], kind: string, body: object): MaybePromise<boolean> {
    const message = { ...body, from: this.instance.id };
    const others = [...new Set(instances)].filter((each) => each !== '' && each !== this.instance.id);
    if (others.length === 0) return true;
    const sent = others.map(async (instance) => this.instance.send(instance, kind, message));
    return Promise.all(sent).then((each) => each.every(Boolean));
  }
}

/** A text in a message; another version of a server may send other values, which match no session. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

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

/**
 * Stores cancellations by session id, because this instance may not know the session yet.
 *
 * Cancellations that arrive before their requests: a client sends both at once, and they may reach an instance over different paths. They
 * are remembered for a moment, until the request arrives.
 */
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
