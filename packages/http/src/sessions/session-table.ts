/** The sessions of one endpoint: found by id, closed when they are idle or too many. */
import { randomBytes } from 'node:crypto';
import type { Caller } from '@sigil-mcp/core';
import { endedCall, type Clock, type Conversation, type RunningCalls, type Timer } from '@sigil-mcp/core/adapter';
import type { KnownEndpointLimits } from '../options/endpoint-limits';
import { busy } from '../refusals/refusal';
import { EventStore } from './event-store';
import { LocalStreams } from './local-streams';
import { Place, Queue } from './queue';
import { Session, type SessionInit } from './session';
import type { SessionStreams } from './session-streams';

/** The data of a new session. */
export interface NewSession {
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  readonly caller: Caller;
  /** The client that it is counted for. */
  readonly countedFor: string;
}

/** The policy of a session table. */
export interface SessionPolicy {
  /** Milliseconds without a request or an open stream after which a session is closed. */
  readonly idleTime: number;
  /** Milliseconds after which a client should reconnect to a closed stream. */
  readonly retryInterval: number;
  readonly limits: KnownEndpointLimits;
  readonly clock: Clock;
}

/** How a table shares its sessions with other instances of the server. */
export interface Sharing extends Required<Pick<SessionInit, 'save' | 'openStreams'>> {
  /** Milliseconds for which this instance remembers a session without local work, because other instances have it, too. */
  readonly remembered: number;
  /** Called for a session that was idle here although work is running for it: the other instances know whether it has ended. */
  readonly idled: (session: Session) => void;
}

/** A client with its sessions: all of them share its name, which is stored once. */
interface Owned {
  readonly client: string;
  sessions: number;
}

/** The longest time between two sweeps of ended sessions, in milliseconds. */
const LONGEST_SWEEP = 5000;

/** Owns its sessions: a session that leaves the table is closed. */
export class SessionTable {
  readonly #sessions = new Map<string, Place<Session>>();
  /** In the order of their last use, the least recently used first. */
  readonly #byUse = new Queue<Session>();
  /** The number of sessions of each client. */
  readonly #owned = new Map<string, Owned>();
  readonly #store: EventStore;
  readonly #sweeper: Timer;

  /** @param sharing undefined for a single instance */
  constructor(
    private readonly policy: SessionPolicy,
    private readonly sharing?: Sharing,
  ) {
    this.#store = new EventStore(policy.limits);
    const shortest = Math.min(policy.idleTime, sharing?.remembered ?? Infinity);
    const interval = Math.max(10, Math.min(shortest / 2, LONGEST_SWEEP));
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
    return this.adopt(randomBytes(24).toString('base64url'), session);
  }

  /** Adds a session that was opened at another instance; like `open`, with its existing id. A session with the same id is closed. */
  adopt(id: string, session: NewSession): Session {
    const before = this.#sessions.get(id)?.value;
    if (before) this.close(before, endedCall('SIGIL_SESSION_ENDED'));
    this.#makeRoom(session.countedFor);
    const { openStreams, save } = this.sharing ?? { openStreams: this.#openStreams, save: undefined };
    const { client: countedFor } = this.#count(session.countedFor, 1);
    const opened = new Session({ ...session, countedFor, id, openStreams, save, clock: this.policy.clock });
    const place = new Place(opened);
    this.#sessions.set(id, place);
    this.#byUse.add(place);
    return opened;
  }

  readonly #openStreams = ({ conversation: { revision } }: Session): SessionStreams => {
    const { retryInterval, clock } = this.policy;
    return new LocalStreams({ revision, retryInterval, clock, store: this.#store });
  };

  /** The session with an id, for any owner. */
  get(id: string): Session | undefined {
    return this.#sessions.get(id)?.value;
  }

  /** Sessions with running work, or whose client holds a stream. */
  busy(): Session[] {
    return [...this.#byUse].filter(({ isBusy }) => isBusy);
  }

  /** Sessions whose client waits for an answer, or holds a stream. */
  present(): Session[] {
    return [...this.#byUse].filter(({ isPresent }) => isPresent);
  }

  /** Finds a session; undefined for an id that is unknown, ended, or another principal's: clients cannot distinguish these. */
  find(id: string, principal: string | undefined): Session | undefined {
    const place = this.#sessions.get(id);
    if (!place || place.value.principal !== principal) return undefined;
    this.#byUse.moveToEnd(place);
    place.value.touch();
    return place.value;
  }

  /** Gives a session without an owner to a principal. If the principal has too many, its session that has been idle longest is closed. */
  give(session: Session, principal: string, countedFor: string): void {
    if (session.principal !== undefined || this.get(session.id) !== session) return;
    this.#evictOwn(countedFor);
    this.#count(session.countedFor, -1);
    session.belongTo(principal, this.#count(countedFor, 1).client);
  }

  /** Removes a session and closes it; sessions outside of the table were closed before. */
  close(session: Session, reason: Error): void {
    const place = this.#sessions.get(session.id);
    if (place?.value !== session) return;
    this.#sessions.delete(session.id);
    this.#byUse.remove(place);
    this.#count(session.countedFor, -1);
    session.close(reason);
  }

  /** Closes all sessions, and the table. */
  closeAll(reason: Error): void {
    this.#sweeper.close();
    for (const session of [...this.#byUse]) this.close(session, reason);
  }

  #sweep(): void {
    for (const session of [...this.#byUse]) {
      if (session.idleSince >= this.#patienceFor(session)) this.#idled(session);
      else session.forgetDelivered();
    }
  }

  /** A busy session is not ended only because this instance could forget it. */
  #patienceFor({ isBusy }: Session): number {
    const { idleTime } = this.policy;
    return isBusy || !this.sharing ? idleTime : Math.min(idleTime, this.sharing.remembered);
  }

  #idled(session: Session): void {
    if (session.isBusy && this.sharing) this.sharing.idled(session);
    else this.close(session, endedCall('SIGIL_SESSION_IDLE'));
  }

  #count(client: string, change: 1 | -1): Owned {
    const owned = this.#owned.get(client) ?? { client, sessions: 0 };
    owned.sessions += change;
    if (owned.sessions > 0) this.#owned.set(client, owned);
    else this.#owned.delete(client);
    return owned;
  }

  #makeRoom(client: string): void {
    const { sessions, sessionsPerClient } = this.policy.limits;
    if (!this.#evictOwn(client))
      throw busy(
        `There are ${sessionsPerClient} sessions of this client (limits.sessionsPerClient), and all of them are busy.`,
      );
    if (this.#sessions.size >= sessions && !this.#evict(() => true))
      throw busy(`There are ${sessions} sessions (limits.sessions), and all of them are busy.`);
  }

  /** Makes room for another session of a client; returns false if that is not possible. */
  #evictOwn(client: string): boolean {
    const { sessionsPerClient } = this.policy.limits;
    if ((this.#owned.get(client)?.sessions ?? 0) < sessionsPerClient) return true;
    return this.#evict(({ countedFor }) => countedFor === client);
  }

  /** Closes the session that has been idle longest, of some or of all. A busy session is never closed for another one. */
  #evict(isMeant: (session: Session) => boolean): boolean {
    for (const session of this.#byUse) {
      if (session.isBusy || !isMeant(session)) continue;
      this.close(session, endedCall('SIGIL_SESSION_EVICTED'));
      return true;
    }
    return false;
  }
}
