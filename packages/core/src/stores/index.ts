/** The entry for authors and users of stores: the ports, and the stores in memory. */
export type { BusListener, Change, InstanceBus } from './instance-bus';
export { MemoryStores, STREAM_LIMITS } from './memory-stores';
export type { RateStore } from './stores';
export type { Replacement, SessionState, SessionStore, SessionWorkers } from './session-store';
export { StoreAway } from './stores';
export type { Stores } from './stores';
export type { TopicBus } from './topic-bus';
export type { EventLimits, StreamEvent, StreamLimits, StreamName, StreamPart, StreamStore } from './stream-store';
export { periodOf } from '../limits/token-buckets';
export type { Rate } from '../limits/token-buckets';
export type { MaybePromise } from '@sigil-mcp/base';
