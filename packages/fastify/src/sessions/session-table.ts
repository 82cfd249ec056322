/** The sessions of one endpoint: found by id, closed when they are idle or when there are too many. */
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

/** Who opens a session, and for what. */
export interface NewSession {
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  readonly caller: Caller;
  /** Whom it is counted for. */
  readonly countedFor: string;
}

/** How sessions are kept. */
export interface SessionPolicy {
  /** Milliseconds without a request or an open stream after which a session is closed. */
  readonly idleTime: number;
  /** Milliseconds after which a client whose stream was closed may come back. */
  readonly retryInterval: number;
  readonly limits: KnownEndpointLimits;
  readonly clock: Clock;
}

/** How the sessions of a table share what they have with other instances of the server. */
export interface Sharing extends Required<Pick<SessionInit, 'save' | 'openStreams'>> {
  /** Milliseconds for which a session is remembered that has nothing here: others have it, too. */
  readonly remembered: number;
  /** Nothing was heard here of a session for its idle time, and something runs for it: whether it is over, others may know. */
  readonly idled: (session: Session) => void;
}

/** A client that has sessions: all of them have its name from here, which is kept once. */
interface Owned {
  readonly client: string;
  sessions: number;
}

/** Milliseconds between looks at what is over, at most. */
const LONGEST_SWEEP = 5000;

/** Owns its sessions: whatever leaves the table is closed. */
export class SessionTable {
  readonly #sessions = new Map<string, Place<Session>>();
  /** In the order of their last use, the longest unused first. */
  readonly #byUse = new Queue<Session>();
  /** How many sessions each client has. */
  readonly #owned = new Map<string, Owned>();
  readonly #store: EventStore;
  readonly #sweeper: Timer;

  /** @param sharing undefined for a server that is alone */
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
   * Opens a session under an id that cannot be guessed. The longest idle one makes room where there are too many.
   * @throws Refusal with 503 where all are busy
   */
  open(session: NewSession): Session {
    return this.adopt(randomBytes(24).toString('base64url'), session);
  }

  /** Goes on with a session that was opened elsewhere; as `open`, under the id that it has. One that has it already is closed. */
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

  /** The session with an id, whoever it belongs to. */
  get(id: string): Session | undefined {
    return this.#sessions.get(id)?.value;
  }

  /** Those for which something runs, or whose client holds a stream. */
  busy(): Session[] {
    return [...this.#byUse].filter(({ isBusy }) => isBusy);
  }

  /** Those whose client is there: it waits for an answer, or holds a stream. */
  present(): Session[] {
    return [...this.#byUse].filter(({ isPresent }) => isPresent);
  }

  /** Finds a session; undefined for an id that is unknown, over, or another principal's: they look the same from outside. */
  find(id: string, principal: string | undefined): Session | undefined {
    const place = this.#sessions.get(id);
    if (!place || place.value.principal !== principal) return undefined;
    this.#byUse.moveToEnd(place);
    place.value.touch();
    return place.value;
  }

  /** A session that belongs to nobody is a principal's from now on. The principal's longest idle one makes room where it has too many. */
  give(session: Session, principal: string, countedFor: string): void {
    if (session.principal !== undefined || this.get(session.id) !== session) return;
    this.#evictOwn(countedFor);
    this.#count(session.countedFor, -1);
    session.belongTo(principal, this.#count(countedFor, 1).client);
  }

  /** Forgets a session and closes it; one that is not in the table any more was closed before. */
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

  /** What runs is not ended because its session could be forgotten here. */
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

  /** Sees to it that a client may have another session; returns false where it may not. */
  #evictOwn(client: string): boolean {
    const { sessionsPerClient } = this.policy.limits;
    if ((this.#owned.get(client)?.sessions ?? 0) < sessionsPerClient) return true;
    return this.#evict(({ countedFor }) => countedFor === client);
  }

  /** Closes the longest idle session, of some or of all. One that is busy is never cut off for another. */
  #evict(isMeant: (session: Session) => boolean): boolean {
    for (const session of this.#byUse) {
      if (session.isBusy || !isMeant(session)) continue;
      this.close(session, endedCall('SIGIL_SESSION_EVICTED'));
      return true;
    }
    return false;
  }
}
