/** Stores for instances that live in one process, and for a server that is alone. */
import { systemClock, type Clock } from '@sigil-mcp/base';
import { periodOf, TokenBuckets, type Rate } from '../limits/token-buckets';
import { MemoryBus } from './memory-bus';
import { MemoryStreams } from './memory-streams';
import type { RateStore, Replacement, SessionStore, Stores, StreamLimits } from './stores';

/** Has buckets for each rate. */
export class MemoryRates implements RateStore {
  readonly #rates = new Map<string, TokenBuckets>();

  constructor(private readonly clock: Clock = systemClock) {}

  take(key: string, rate: Rate): number {
    const name = `${rate.calls} ${periodOf(rate)}`;
    const known = this.#rates.get(name);
    const buckets = known ?? new TokenBuckets(rate, this.clock);
    if (!known) this.#rates.set(name, buckets);
    return buckets.take(key);
  }
}

/** The default limits of streams. */
export const STREAM_LIMITS: StreamLimits = { events: 256, keepFor: 300_000 };

/** Everything in memory, and at once: no method returns a promise. */
export class MemoryStores implements Stores {
  readonly sessions: MemorySessions;
  readonly streams: MemoryStreams;
  readonly bus = new MemoryBus();
  readonly rates: MemoryRates;

  /** @param clock the time of the machine, if left out */
  constructor(limits: StreamLimits = STREAM_LIMITS, clock: Clock = systemClock) {
    this.streams = new MemoryStreams(limits, clock);
    this.sessions = new MemorySessions(clock, (id) => this.streams.endSession(id));
    this.rates = new MemoryRates(clock);
  }

  close(): void {
    // Other servers of this process may still use them.
  }
}

/** The stores of a server that is alone: nobody else reads them, so they end with it. */
export class ProcessStores implements Stores {
  readonly sessions: ProcessSessions;
  readonly streams: MemoryStreams;
  readonly bus = new MemoryBus();
  readonly rates: MemoryRates;

  constructor(clock: Clock) {
    this.streams = new MemoryStreams(STREAM_LIMITS, clock);
    this.sessions = new ProcessSessions(clock, (id) => this.streams.endSession(id));
    this.rates = new MemoryRates(clock);
  }

  close(): void {
    this.streams.close();
  }
}

// Sessions in memory.

interface MemorySession {
  record: string;
  /** When it ends, in milliseconds of the clock. */
  until: number;
  /** When it was moved to the end of the order. */
  moved: number;
}

/** How exact the order is, in milliseconds: moving a session takes as long as finding it, and one in use is used often. */
const ORDER = 1000;

/** Keeps sessions in use; expired ones are removed when another session is opened. */
class MemorySessions implements SessionStore {
  /** In the order of their last use, to a second. */
  readonly #sessions = new Map<string, MemorySession>();

  /** @param ended called with each session that has ended */
  constructor(
    private readonly clock: Clock = systemClock,
    private readonly ended: (id: string) => void = () => undefined,
  ) {}

  /** The number of sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  open(id: string, record: string, idleTime: number): void {
    this.#removeExpired();
    const now = this.clock.elapsed();
    this.#sessions.set(id, { record, until: now + idleTime, moved: now });
  }

  use(id: string, idleTime: number): string | undefined {
    const session = this.#sessions.get(id);
    const now = this.clock.elapsed();
    if (!session || session.until <= now) return undefined;
    session.until = now + idleTime;
    if (now - session.moved >= ORDER) this.#moveToEnd(id, session, now);
    return session.record;
  }

  replace(id: string, read: string, record: string): Replacement {
    const session = this.#find(id);
    if (!session) return 'over';
    if (session.record !== read) return 'changed';
    session.record = record;
    return 'replaced';
  }

  end(id: string): boolean {
    const wasOpen = this.#find(id) !== undefined;
    this.#sessions.delete(id);
    this.ended(id);
    return wasOpen;
  }

  #find(id: string): MemorySession | undefined {
    const session = this.#sessions.get(id);
    return session && session.until > this.clock.elapsed() ? session : undefined;
  }

  #moveToEnd(id: string, session: MemorySession, now: number): void {
    session.moved = now;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
  }

  /** The idle times of one server are mostly the same, so the sessions that were not used for longest expire first. */
  #removeExpired(): void {
    const now = this.clock.elapsed();
    for (const [id, { until }] of this.#sessions) {
      if (until > now) return;
      this.end(id);
    }
  }
}

/** Sessions of one process, which no other one can read. */
class ProcessSessions extends MemorySessions implements SessionStore {
  release(id: string): void {
    this.end(id);
  }
}
