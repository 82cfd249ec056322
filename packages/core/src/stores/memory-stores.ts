/** Stores for instances that live in one process, and for a server that is alone. */
import { MemoryBus } from './memory-bus';
import { MemorySessions, ProcessSessions } from './memory-sessions';
import { MemoryStreams } from './memory-streams';
import { systemClock, type Clock } from '@sigil-mcp/base';
import type { Stores, RateStore } from './stores';
import type { StreamLimits } from './stream-store';
import { TokenBuckets, periodOf, type Rate } from '../limits/token-buckets';

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
