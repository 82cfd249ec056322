/** Stores for instances that live in one process. */
import { MemoryBus } from './memory-bus';
import { MemoryRates } from './memory-rates';
import { MemorySessions } from './memory-sessions';
import { MemoryStreams } from './memory-streams';
import { systemClock, type Clock } from '@sigil-mcp/base';
import type { Stores } from './stores';
import type { StreamLimits } from './stream-store';

/** Everything in memory, and at once: no method returns a promise. */
export class MemoryStores implements Stores {
  readonly sessions: MemorySessions;
  readonly streams: MemoryStreams;
  readonly bus = new MemoryBus();
  readonly rates: MemoryRates;

  /** @param clock the time of the machine, if left out */
  constructor(limits: StreamLimits = STREAM_LIMITS, clock: Clock = systemClock) {
    this.sessions = new MemorySessions(clock);
    this.streams = new MemoryStreams(limits, clock);
    this.rates = new MemoryRates(clock);
  }

  close(): void {
    // There is nothing to close.
  }
}

/** The default limits of streams. */
export const STREAM_LIMITS: StreamLimits = { events: 256, keepFor: 300_000 };
