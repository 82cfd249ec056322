/** The sessions that this process works for, or has worked for: found by id, closed when they are idle or too many. */
import { randomFillSync } from 'node:crypto';
import type { Clock, Timer } from '@sigil-mcp/core/adapter';
import { lateReason } from '@sigil-mcp/core/internal';
import type { ResolvedEndpointLimits } from '../options/endpoint-options';
import { busy } from '../call';
import { Session, type NewSession, type SessionOwner } from './session';

/** Bytes of an id, which are 32 characters of base64url. */
const BYTES = 24;

/** Ids for which random bytes are taken at once: a call into the system costs as much as the rest of a new session. */
const AT_ONCE = 32;

/** Makes ids. The first one takes the first random bytes, so that copies of a process that has opened no session share none. */
export class SessionIds {
  readonly #random = Buffer.alloc(BYTES * AT_ONCE);
  #used = this.#random.length;

  /** @returns 32 characters: letters, digits, `-` and `_` */
  next(): string {
    if (this.#used === this.#random.length) {
      randomFillSync(this.#random);
      this.#used = 0;
    }
    const from = this.#used;
    this.#used = from + BYTES;
    const id = this.#random.toString('base64url', from, this.#used);
    // What was given away cannot be read from memory a second time.
    this.#random.fill(0, from, this.#used);
    return id;
  }
}

/** The policy of a session table. */
export interface SessionPolicy {
  /** Milliseconds without a request or an open stream after which a session is closed. */
  readonly idleTime: number;
  /** Milliseconds for which this process remembers a session that it does not work for; at most `idleTime`. */
  readonly rememberedFor: number;
  readonly limits: Pick<ResolvedEndpointLimits, 'sessions' | 'sessionsPerClient'>;
  readonly clock: Clock;
}

/** A client with its sessions: all of them share its name, which is stored once. */
interface SessionClient {
  readonly name: string;
  sessions: number;
}

/** The longest time between two sweeps of ended sessions, in milliseconds. */
const LONGEST_SWEEP = 5000;

/** A session that leaves the table is closed. */
export class SessionTable {
  /** In the order of their last use, the least recently used first. */
  readonly #sessions = new Map<string, Session>();
  /** Clients with sessions, by their names. */
  readonly #clients = new Map<string, SessionClient>();
  readonly #sweeper: Timer;
  readonly #ids = new SessionIds();

  constructor(
    private readonly policy: SessionPolicy,
    private readonly owner: SessionOwner,
  ) {
    const interval = Math.max(10, Math.min(policy.rememberedFor / 2, LONGEST_SWEEP));
    this.#sweeper = policy.clock.every(interval, () => this.#sweep()).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Opens a session with an unguessable id. If there are too many, the one that has been idle longest is closed.
   * @throws Refusal with 503 if all are busy
   */
  open(session: NewSession): Session {
    return this.adopt(this.#ids.next(), session);
  }

  /** Adds a session that was opened before; like `open`, with its existing id. A session with the same id is closed. */
  adopt(id: string, session: NewSession): Session {
    const before = this.#sessions.get(id);
    if (before) this.close(before, lateReason('SIGIL_SESSION_ENDED'));
    this.#makeRoom(session.countedFor);
    const countedFor = this.#count(session.countedFor, 1).name;
    const { conversation, running, caller } = session;
    const opened = new Session(id, { conversation, running, caller, countedFor }, this.owner, this.policy.clock);
    this.#sessions.set(id, opened);
    return opened;
  }

  /** The session with an id, for any principal. */
  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Sessions with running work, or whose client holds a stream. */
  busy(): Session[] {
    return [...this.#sessions.values()].filter(({ isBusy }) => isBusy);
  }

  /** Sessions whose client waits for an answer, or holds a stream. */
  present(): Session[] {
    return [...this.#sessions.values()].filter(({ isPresent }) => isPresent);
  }

  /** Finds a session; undefined for an id that is unknown, ended, or another principal's: clients cannot distinguish these. */
  find(id: string, principal: string | undefined): Session | undefined {
    const session = this.#sessions.get(id);
    if (!session || session.principal !== principal) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    session.used();
    return session;
  }

  /** Gives a session without a principal to one. If the principal has too many, its session that has been idle longest is closed. */
  give(session: Session, principal: string): void {
    if (session.principal !== undefined || this.get(session.id) !== session) return;
    this.#evictOwn(principal);
    this.#count(session.countedFor, -1);
    session.belongTo(principal, this.#count(principal, 1).name);
  }

  /**
   * Removes a session and closes it; sessions outside of the table were closed before.
   * @param reason makes the reason, if something is running that has to have it
   */
  close(session: Session, reason: () => Error): void {
    if (this.#sessions.get(session.id) !== session) return;
    this.#sessions.delete(session.id);
    this.#count(session.countedFor, -1);
    session.close(reason);
  }

  /** Closes a session that is not in use here any more: it is over, idle, or makes room for another one. */
  end(session: Session, reason: () => Error): void {
    this.close(session, reason);
    this.owner.released(session);
  }

  /** Closes all sessions, and the table. */
  closeAll(reason: () => Error): void {
    this.#sweeper.close();
    for (const session of [...this.#sessions.values()]) this.close(session, reason);
  }

  #sweep(): void {
    const { idleTime, rememberedFor } = this.policy;
    for (const session of [...this.#sessions.values()]) {
      // A busy session is not ended only because this process could forget it.
      if (session.idleFor < (session.isBusy ? idleTime : rememberedFor)) continue;
      if (session.isBusy) this.owner.idled(session);
      else this.end(session, lateReason('SIGIL_SESSION_IDLE'));
    }
  }

  #count(name: string, change: 1 | -1): SessionClient {
    const client = this.#clients.get(name) ?? { name, sessions: 0 };
    client.sessions += change;
    if (client.sessions > 0) this.#clients.set(name, client);
    else this.#clients.delete(name);
    return client;
  }

  #makeRoom(client: string): void {
    const { sessions, sessionsPerClient } = this.policy.limits;
    if (!this.#evictOwn(client))
      throw busy(
        `There are ${sessionsPerClient} sessions of this client (limits.sessionsPerClient), and all of them are busy.`,
        'limits.sessionsPerClient',
      );
    if (this.#sessions.size >= sessions && !this.#evict(() => true))
      throw busy(`There are ${sessions} sessions (limits.sessions), and all of them are busy.`, 'limits.sessions');
  }

  /** Makes room for another session of a client; returns false if that is not possible. */
  #evictOwn(client: string): boolean {
    const { sessionsPerClient } = this.policy.limits;
    if ((this.#clients.get(client)?.sessions ?? 0) < sessionsPerClient) return true;
    return this.#evict(({ countedFor }) => countedFor === client);
  }

  /** Closes the session that has been idle longest, of some or of all. A busy session is never closed for another one. */
  #evict(isMeant: (session: Session) => boolean): boolean {
    for (const session of this.#sessions.values()) {
      if (session.isBusy || !isMeant(session)) continue;
      this.end(session, lateReason('SIGIL_SESSION_EVICTED'));
      return true;
    }
    return false;
  }
}
