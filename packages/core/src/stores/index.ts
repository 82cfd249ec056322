/** The entry for authors and users of stores: the ports, and the stores in memory. */
export type {
  BusListener,
  Change,
  EventLimits,
  InstanceBus,
  RateStore,
  Replacement,
  SessionState,
  SessionStore,
  SessionWorkers,
  Stores,
  StreamEvent,
  StreamLimits,
  StreamName,
  StreamPart,
  StreamStore,
  TopicBus,
} from './stores';
export { MemoryStores, STREAM_LIMITS } from './memory-stores';
export { StoreAway } from './stores';
export { periodOf, type Rate } from '../limits/token-buckets';
export type { MaybePromise } from '@sigil-mcp/base';
