/**
 * How much memory clients make the server hold, in bytes of heap: running calls with their messages, sessions, streams, subscriptions, and
 * bodies in transit. There is a sum for each client and one for the process; requests that would exceed a limit are refused.
 */
import { overload } from '../errors/overload';
import { once } from '../values/once';
import type { ClientLoad } from './client-load';
import type { ResolvedLimits } from './server-limits';

/** Bytes of memory in addition to the message itself, as `npm run limits` measures them, rounded up. */
export const WEIGHTS = {
  /** A running call, with its exchange and its connection. */
  call: 8 * 1024,
  /** A session without the facts about its client. */
  session: 4 * 1024,
  /** An open event stream, with its connection. */
  stream: 12 * 1024,
  /** A subscription without its URI. */
  subscription: 768,
} as const;

/** Requests up to this size are small. */
const SMALL = 64 * 1024;
/** The share of all memory that large requests may take: the rest is reserved for small requests of other clients. */
const SHARE_OF_LARGE = 0.75;

/** The sums of one server. Each addition must be subtracted once, with the same number of bytes. */
export class HeldWeight {
  #all = 0;

  constructor(private readonly limits: Pick<ResolvedLimits, 'held' | 'heldPerClient'>) {}

  /** Bytes that all clients make the server hold. */
  get all(): number {
    return this.#all;
  }

  /**
   * Throws `Denial` if a client, or all of them, would exceed the limit. A few clients with large requests do not keep out clients with
   * small ones.
   */
  check(load: ClientLoad, bytes: number): void {
    const { held, heldPerClient } = this.limits;
    if (load.weight + bytes > heldPerClient)
      throw overload(
        'limits.heldPerClient',
        `A client may make the server hold ${inMebibytes(heldPerClient)} of memory (limits.heldPerClient). Wait for an answer first, or send less.`,
      );
    const room = bytes > SMALL ? held * SHARE_OF_LARGE : held;
    if (this.#all + bytes > room)
      throw overload(
        'limits.held',
        `All clients together may make the server hold ${inMebibytes(held)} of memory (limits.held). Try again later.`,
      );
  }

  /** Adds bytes that were checked, or subtracts them if negative; those of the client are counted by its load. */
  add(bytes: number): void {
    this.#all += bytes;
  }

  /**
   * Reserves memory for a longer time. Throws `Denial` if the limit is reached.
   * @returns a function that releases it; a second call does nothing
   */
  take(load: ClientLoad, bytes: number): () => void {
    this.check(load, bytes);
    return this.count(load, bytes);
  }

  /**
   * Counts memory without a check: it was checked before, or in another process.
   * @returns a function that releases it; a second call does nothing
   */
  count(load: ClientLoad, bytes: number): () => void {
    this.add(bytes);
    load.hold(bytes);
    return once(() => {
      this.add(-bytes);
      load.hold(-bytes);
    });
  }
}

function inMebibytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`;
}
