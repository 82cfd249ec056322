/** The tests that every implementation of the stores of `@sigil-mcp/core/stores` must pass, for jest and similar test runners. */
import { requireOptions } from '@sigil-mcp/core/internal';
import { APPEND_CONTRACT } from './append-contract';
import { BUS_CONTRACT } from './bus-contract';
import { POSITION_CONTRACT, RATE_CONTRACT } from './position-contract';
import { SESSION_CONTRACT } from './session-contract';
import { STREAM_CONTRACT } from './stream-contract';
import { CONTRACT_OPTIONS, suite, type ContractOptions, type OpenStores } from './suite';
import { TOPIC_CONTRACT } from './topic-contract';
import { WORKER_CONTRACT } from './worker-contract';

export type { ContractOptions, OpenStores } from './suite';

/**
 * Declares the contracts of all stores. Each suite opens and closes its own stores.
 * @param open receives the limits of streams that their contract tests
 * @param options how many changes and messages are sent
 * @throws SigilError if no test runner has put `describe` and the other functions into the global scope
 * @example describeStores((limits) => {
 *   const stores = new MemoryStores(limits);
 *   return [stores, stores];
 * });
 */
export function describeStores(open: OpenStores, options?: ContractOptions): void {
  requireOptions('describeStores', options ?? {}, CONTRACT_OPTIONS);
  describeSessionStore(open);
  describeStreamStore(open);
  describeInstanceBus(open, options);
  describeRateStore(open);
}

/** Declares the contract of a store of sessions. */
export function describeSessionStore(open: OpenStores): void {
  suite('a store of sessions', open, SESSION_CONTRACT);
  suite('a store of sessions, for the instances that work for them', open, WORKER_CONTRACT);
}

/** Declares the contract of a store of streams. */
export function describeStreamStore(open: OpenStores): void {
  suite('a store of streams', open, STREAM_CONTRACT);
  suite('a store of streams, for the owner of one', open, APPEND_CONTRACT);
}

/**
 * Declares the contract of a bus between instances.
 * @param options how many changes and messages are sent
 */
export function describeInstanceBus(open: OpenStores, options?: ContractOptions): void {
  requireOptions('describeInstanceBus', options ?? {}, CONTRACT_OPTIONS);
  suite('a bus between instances', open, BUS_CONTRACT, options);
  suite('a bus between instances, for clients that reconnect', open, POSITION_CONTRACT, options);
  suite('a bus between instances, for changes of single topics', open, TOPIC_CONTRACT);
}

/** Declares the contract of a store of rates. */
export function describeRateStore(open: OpenStores): void {
  suite('a store of rates', open, RATE_CONTRACT);
}
