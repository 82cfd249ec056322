/** The messages about sessions between the instances of a server: each is for the instances that work for the session. */
import { TokenBuckets, andThen, isObject, type Clock, type Instance, type MaybePromise } from '@sigil-mcp/core/adapter';
import type { JsonObject } from '@sigil-mcp/protocol';
import type { SessionWorkers } from '@sigil-mcp/core/stores';
import type { StreamLease, StreamSession } from '../streams/stream-lease';
import type { Session } from './session';

/** Handles the messages of other instances. */
export interface PeerListener {
  /** Finds a session of this instance. */
  get(id: string): Session | undefined;
  /** The record of a session has changed to this text; undefined if it is too long to send and has to be read. */
  recordChanged(session: Session, text: string | undefined): void;
  /** A session was ended by its client. */
  sessionEnded(session: Session): void;
  /** The client has sent a message for work at this instance: an answer to a question, or a cancellation. */
  messageReceived(session: Session, message: JsonObject): void;
  /** Like `messageReceived`, for a session that is not known here, but may be soon. */
  messageReceivedEarly(session: string, message: JsonObject): void;
}

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
  readonly #stop: (() => void)[];
  readonly #longForAll: TokenBuckets;
  /** Undefined for a store that does not know them: all instances are then notified. */
  readonly #workers: SessionWorkers | undefined;

  constructor(
    private readonly instance: Instance,
    private readonly listener: PeerListener,
    clock: Clock,
  ) {
    this.#workers = instance.stores.sessions.workers;
    this.#longForAll = new TokenBuckets(LONG_FOR_ALL, clock);
    this.#stop = [
      this.#on('session-changed', (session, { text }) =>
        listener.recordChanged(session, typeof text === 'string' ? text : undefined),
      ),
      this.#on('session-ended', (session) => listener.sessionEnded(session)),
      instance.onMessage('session-received', (message) => this.#receive(message)),
      this.#on('stream-taken', (session, { stream }) => session.giveWay(textOf(stream))),
    ];
  }

  /** Stops receiving messages. */
  close(): void {
    for (const stop of this.#stop) stop();
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

  /** Handles the messages of other instances, not those of this one. */
  #on(kind: string, handle: (session: Session, message: JsonObject) => void): () => void {
    return this.instance.onMessage(kind, (message) => {
      const session = message['from'] === this.instance.id ? undefined : this.listener.get(textOf(message['session']));
      if (session) handle(session, message);
    });
  }

  #receive({ session: id, message, from }: JsonObject): void {
    if (from === this.instance.id || !isObject(message)) return;
    const session = this.listener.get(textOf(id));
    if (session) this.listener.messageReceived(session, message);
    else this.listener.messageReceivedEarly(textOf(id), message);
  }
}

/** A text in a message; another version of a server may send other values, which match no session. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
