/** What the instances of a server share. An implementation runs the suite of `@sigil-mcp/testing/stores`. */
import type { MaybePromise } from '../values/maybe-promise';
import type { InstanceBus } from './instance-bus';
import type { RateStore } from './rate-store';
import type { SessionStore } from './session-store';
import type { StreamStore } from './stream-store';

/** The stores of one server, all of its instances using the same. */
export interface Stores {
  readonly sessions: SessionStore;
  readonly streams: StreamStore;
  readonly bus: InstanceBus;
  readonly rates: RateStore;
  /** Lets go of what the stores themselves have opened; they are not used afterwards. */
  close(): MaybePromise<void>;
}
