/** The stores of a server in a Durable Object: sessions in its storage, and in memory what is of use only while it runs. */
import { platformClock, type Clock } from '@sigil-mcp/core/adapter';
import { MemoryStores, STREAM_LIMITS, type Stores, type StreamLimits } from '@sigil-mcp/core/stores';
import { DurableSessions } from './durable-sessions';
import type { ObjectStorage } from './object-state';

/** No other instance uses them: each object has a server of its own. */
export class DurableStores implements Stores {
  readonly sessions: DurableSessions;
  readonly streams: Stores['streams'];
  readonly bus: Stores['bus'];
  readonly rates: Stores['rates'];

  constructor(storage: ObjectStorage, limits: StreamLimits = STREAM_LIMITS, clock: Clock = platformClock()) {
    const { streams, bus, rates } = new MemoryStores(limits, clock);
    this.streams = streams;
    this.bus = bus;
    this.rates = rates;
    this.sessions = new DurableSessions(storage, clock, (id) => streams.endSession(id));
  }

  close(): void {
    // The storage is the platform's.
  }
}
