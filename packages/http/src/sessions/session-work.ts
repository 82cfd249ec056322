/**
 * Tells the store for which sessions this instance works, so that other instances send it what happens to them. A call that is answered
 * quickly is over before anything could be sent, so only longer ones are reported.
 */
import type { Clock, MaybePromise, Timer } from '@sigil-mcp/core/adapter';
import { isPromise, unawaited } from '@sigil-mcp/core/internal';
import type { SessionState, SessionWorkers } from '@sigil-mcp/core/stores';
import type { Session } from './session';

/** Milliseconds of work after which it is reported. */
const DELAY = 25;
/** Milliseconds until a report that failed is repeated. */
const RETRY = 1000;
/** Milliseconds between two reports of the same work. */
const INTERVAL = 20_000;
/** Milliseconds for which a report holds. An instance that was paused for longer reads its sessions again, but misses cancellations. */
const KEEP_FOR = 60_000;

/** The options of session work. */
export interface SessionWorkInit {
  readonly workers: SessionWorkers;
  /** The id of this instance. */
  readonly instance: string;
  /** Finds a session of this instance. */
  readonly find: (id: string) => Session | undefined;
  /** This instance has joined: applies what other instances have done with the session before. */
  readonly joined: (session: Session, state: SessionState) => void;
  readonly clock: Clock;
}

/** Reports work from its beginning to `close`. Failures are repeated: requests report an unreachable store to clients. */
export class SessionWork {
  /** Sessions with work that is not reported yet, and the time from which it is; in the order of their times, except for repeated ones. */
  readonly #pending = new Map<Session, number>();
  /** The ids of sessions with reported work. */
  readonly #joined = new Set<string>();
  /** Reports that are being sent, by the ids of their sessions: the next one waits, because they might overtake each other. */
  readonly #sending = new Map<string, Promise<unknown>>();
  readonly #renewal: Timer;
  #delay: Timer | undefined;
  #isClosed = false;

  constructor(private readonly init: SessionWorkInit) {
    this.#renewal = init.clock.every(INTERVAL, () => this.#renew()).unref();
  }

  /** Work for a session has begun. */
  began(session: Session): void {
    if (this.#joined.has(session.id)) return;
    this.#pending.set(session, this.init.clock.elapsed() + DELAY);
    this.#reportLater(DELAY);
  }

  /** All work for a session is done. */
  done(session: Session): void {
    this.#pending.delete(session);
  }

  /** Reports work at once. Rejects with `StoreAway`. */
  join(session: Session): MaybePromise<void> {
    const { id } = session;
    if (this.#joined.has(id) && !this.#sending.has(id)) return undefined;
    this.#pending.delete(session);
    return this.#join(session);
  }

  /** Reports nothing any more: the instance leaves, so others find that it is not alive. */
  close(): void {
    this.#isClosed = true;
    this.#renewal.close();
    this.#delay?.close();
    this.#pending.clear();
    this.#joined.clear();
  }

  #reportPending(): void {
    this.#delay = undefined;
    const now = this.init.clock.elapsed();
    for (const [session, due] of [...this.#pending]) {
      if (due > now) continue;
      this.#pending.delete(session);
      if (session.hasWork && !session.isClosed) this.#tryToJoin(session);
    }
    if (this.#pending.size > 0) this.#reportLater(DELAY);
  }

  #tryToJoin(session: Session): void {
    unawaited(this.#join(session), () => this.#retry(session));
  }

  #retry(session: Session): void {
    if (this.#isClosed || !session.hasWork) return;
    this.#pending.set(session, this.init.clock.elapsed() + RETRY);
    this.#reportLater(RETRY);
  }

  #reportLater(delay: number): void {
    this.#delay ??= this.init.clock.after(delay, () => this.#reportPending()).unref();
  }

  async #join(session: Session): Promise<void> {
    const { workers, instance, joined } = this.init;
    const { id } = session;
    this.#joined.add(id);
    let state: SessionState;
    try {
      state = await this.#inOrder(id, () => workers.join(id, instance, KEEP_FOR));
    } catch (error) {
      this.#joined.delete(id);
      throw error;
    }
    // It has ended, or its handshake takes time and it is not stored yet: the report had no effect.
    if (state.record === undefined) this.#joined.delete(id);
    joined(session, state);
  }

  /** Work that goes on is reported again, and work that has ended no longer. */
  #renew(): void {
    const { workers, instance, find } = this.init;
    for (const id of [...this.#joined]) {
      const session = find(id);
      if (session?.hasWork) {
        this.#tryToJoin(session);
        continue;
      }
      this.#joined.delete(id);
      if (session) unawaited(this.#inOrder(id, async () => workers.leave(id, instance)));
    }
  }

  #inOrder<T>(id: string, send: () => MaybePromise<T>): MaybePromise<T> {
    const before = this.#sending.get(id);
    const sent = before ? before.then(send, send) : send();
    if (!isPromise(sent)) return sent;
    const settled: Promise<unknown> = sent.then(
      () => this.#forget(id, settled),
      () => this.#forget(id, settled),
    );
    this.#sending.set(id, settled);
    return sent;
  }

  #forget(id: string, settled: Promise<unknown>): void {
    if (this.#sending.get(id) === settled) this.#sending.delete(id);
  }
}
