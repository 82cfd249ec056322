/** The entry for authors and users of stores: the ports, and the stores in memory. */
export type { BusListener, Change, InstanceBus } from './instance-bus';
export { MemoryStores, STREAM_LIMITS } from './memory-stores';
export type { RateStore } from './rate-store';
export type { Replacement, SessionState, SessionStore, SessionWorkers } from './session-store';
export { StoreAway } from './store-away';
export type { Stores } from './stores';
export type { TopicBus } from './topic-bus';
export type { EventLimits, StreamEvent, StreamLimits, StreamName, StreamPart, StreamStore } from './stream-store';
export { periodOf } from '../limits/rate';
export type { Rate } from '../limits/rate';
export type { MaybePromise } from '@sigil-mcp/base';
