/** What the instances of a server tell each other about sessions: each message is for whoever has the session, and says nothing to others. */
import { randomBytes } from 'node:crypto';
import { TokenBuckets, isObject, unawaited, type Clock, type Instance } from '@sigil-mcp/core/adapter';
import type { JsonObject } from '@sigil-mcp/protocol';
import type { Session } from '../sessions/session';

/** What becomes of the messages of others. */
export interface PeerEvents {
  /** Finds a session that is known here. */
  readonly find: (id: string) => Session | undefined;
  /** The record of a session has become this text; undefined for a long one, which is to be read. */
  readonly changed: (session: Session, text: string | undefined) => void;
  /** A session was ended by its client. */
  readonly ended: (session: Session) => void;
  /** The client has sent a message that is about what runs here: an answer to a question, a cancellation. */
  readonly received: (session: Session, message: JsonObject) => void;
  /** As `received`, of a session that is not known here: it may be by the time that more comes for it. */
  readonly early: (session: string, message: JsonObject) => void;
  /** The client goes on elsewhere with a stream. */
  readonly taken: (session: Session, stream: string) => void;
  /** Whether the stream that belongs to no request is held here. */
  readonly holds: (session: Session) => boolean;
}

/** Characters of a message beyond which it is long. */
const LONG = 10_000;
/**
 * How many long messages all are told for the sake of one instance that is away: the store keeps them for a while, and a client may send
 * many for instances that never were.
 */
const LONG_FOR_ALL = { calls: 20, per: 300_000 };
/** Milliseconds that an instance has to say whether it holds a stream. */
const PATIENCE = 1000;

/** The other instances, as the sessions of one endpoint know them. */
export class Peers {
  readonly #questions = new Map<string, (isHeld: boolean) => void>();
  readonly #stop: (() => void)[];
  readonly #longForAll: TokenBuckets;

  constructor(
    private readonly instance: Instance,
    private readonly events: PeerEvents,
    private readonly clock: Clock,
  ) {
    this.#longForAll = new TokenBuckets(LONG_FOR_ALL, clock);
    const { changed, ended, taken } = events;
    this.#stop = [
      this.#on('session-changed', (session, { text }) => changed(session, typeof text === 'string' ? text : undefined)),
      this.#on('session-ended', (session) => ended(session)),
      instance.onMessage('session-received', (heard) => this.#receive(heard)),
      this.#on('stream-taken', (session, { stream }) => taken(session, textOf(stream))),
      instance.onMessage('stream-held?', (asked) => this.#answer(asked)),
      instance.onMessage('stream-held', ({ question, isHeld }) =>
        this.#questions.get(textOf(question))?.(isHeld === true),
      ),
    ];
  }

  /** Hears nothing more. */
  close(): void {
    for (const stop of this.#stop) stop();
  }

  async tellChanged({ id: session }: Pick<Session, 'id'>, text: string): Promise<void> {
    await this.#tellAll('session-changed', { session, ...(text.length <= LONG && { text }) });
  }

  async tellEnded({ id: session }: Session): Promise<void> {
    await this.#tellAll('session-ended', { session });
  }

  /** Passes a message of the client on to all, for it is not known who has what it is about. */
  async tellReceived({ id: session }: Session, message: object): Promise<void> {
    await this.#tellAll('session-received', { session, message });
  }

  /**
   * Passes a message of the client on to one instance. One that is taken for dead may have been held still: it hears what all are told when
   * it comes back, unless that has become too much. Where it is gone, so is what the message is about.
   */
  async sendReceived(to: string, session: Session, message: object): Promise<void> {
    const body = { session: session.id, message, from: this.instance.id };
    if (await this.instance.send(to, 'session-received', body)) return;
    const isLong = JSON.stringify(message).length > LONG;
    if (!isLong || this.#longForAll.take('all') === 0) await this.tellReceived(session, message);
  }

  /** The client goes on here with a stream: whoever else sends on it stops that. */
  async tellTaken({ id: session }: Session, stream: string): Promise<void> {
    await this.#tellAll('stream-taken', { session, stream });
  }

  /** As `tellTaken`, where it is known who that is. */
  async takeFrom(holder: string, { id: session }: Session, stream: string): Promise<void> {
    await this.instance.send(holder, 'stream-taken', { session, stream, from: this.instance.id });
  }

  /** Whether an instance holds the stream of a session; one that does not say is taken to be gone. */
  async isHeldBy(holder: string, { id: session }: Session): Promise<boolean> {
    const question = randomBytes(8).toString('hex');
    const answered = new Promise<boolean>((resolve) => {
      this.#questions.set(question, resolve);
    });
    const patience = this.clock.after(PATIENCE, () => this.#questions.get(question)?.(false)).unref();
    try {
      const asked = await this.instance.send(holder, 'stream-held?', { session, question, from: this.instance.id });
      return asked && (await answered);
    } finally {
      patience.close();
      this.#questions.delete(question);
    }
  }

  async #tellAll(kind: string, body: object): Promise<void> {
    await this.instance.broadcast(kind, { ...body, from: this.instance.id });
  }

  /** What this instance has said to all it knows. */
  #on(kind: string, hear: (session: Session, message: JsonObject) => void): () => void {
    return this.instance.onMessage(kind, (message) => {
      const session = message['from'] === this.instance.id ? undefined : this.events.find(textOf(message['session']));
      if (session) hear(session, message);
    });
  }

  #receive({ session: id, message, from }: JsonObject): void {
    if (from === this.instance.id || !isObject(message)) return;
    const session = this.events.find(textOf(id));
    if (session) this.events.received(session, message);
    else this.events.early(textOf(id), message);
  }

  #answer({ session: id, question, from }: JsonObject): void {
    const session = this.events.find(textOf(id));
    // An instance may serve several endpoints, and one of them knows the session.
    if (!session) return;
    const isHeld = this.events.holds(session);
    unawaited(this.instance.send(textOf(from), 'stream-held', { question, isHeld }));
  }
}

/** A part of a message that is a text; another version of a server may say something else there, which names nothing. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
