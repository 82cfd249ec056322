/** The load that one client puts on the server, summed over all of its requests and sessions. */
import type { SharesOfClient } from './server-limits';

/**
 * The load of one client: of a connection, a session, or of all requests that share a name or an address. It has plain numbers, because a
 * connection has one client, and every call is counted here.
 */
export class ClientLoad {
  #calls = 0;
  #streams = 0;
  #subscriptions = 0;
  #weight = 0;
  /** Characters of logs and progress that wait until the client reads the earlier ones. */
  unread = 0;

  /** @param shares what the client may have, if it is not one of many; the shares of the server's limits if left out */
  constructor(readonly shares?: SharesOfClient) {}

  /** The key of the client, if it is known by more than its connection. */
  get client(): string | undefined {
    return undefined;
  }

  /** Moves the load to another client, because its session has a new owner. A connection keeps its client. */
  moveTo(_client: string): void {
    // Nobody else has it.
  }

  /** Open subscription streams. */
  get streams(): number {
    return this.#streams;
  }

  set streams(count: number) {
    this.#streams = count;
  }

  /** Resources that it has subscribed to. */
  get subscriptions(): number {
    return this.#subscriptions;
  }

  set subscriptions(count: number) {
    this.#subscriptions = count;
  }

  /** Bytes of memory that it makes the server hold. */
  get weight(): number {
    return this.#weight;
  }

  /** Adds bytes that the server holds for it, or subtracts them if negative. */
  hold(bytes: number): void {
    this.#weight += bytes;
  }

  /** Pending requests. */
  get calls(): number {
    return this.#calls;
  }

  /** A request that takes so many bytes is being answered from now on. */
  enter(bytes: number): void {
    this.#calls += 1;
    this.#weight += bytes;
  }

  /** One request less is being answered. */
  leave(bytes: number): void {
    this.#calls -= 1;
    this.#weight -= bytes;
  }
}

/** What all clients together make a server hold. */
export class ServerLoad {
  /** Requests that are being answered; streams of changes, which last, are not counted. */
  calls = 0;
}
