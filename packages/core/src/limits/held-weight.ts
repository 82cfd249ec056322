/**
 * How much memory clients make the server hold, in bytes of heap: running calls with their messages, sessions, streams, subscriptions, bodies
 * that are on their way. One sum for each client, one for the process; what would be too much is refused.
 */
import { overload } from '../errors/overload';
import type { ClientLoad } from './client-load';
import type { KnownLimits } from './server-limits';

/** Bytes of what is held beside the message itself, as `npm run limits` measures it, rounded up. */
export const WEIGHTS = {
  /** A running call, with its exchange and its connection. */
  call: 8 * 1024,
  /** A session without what its client says of itself. */
  session: 4 * 1024,
  /** An event stream that is open, with its connection. */
  stream: 12 * 1024,
  /** A subscription without its URI. */
  subscription: 768,
} as const;

/** Bytes up to which something is small. */
const SMALL = 64 * 1024;
/** The share of all memory that large things may take: the rest is for the small ones of everybody else. */
const SHARE_OF_LARGE = 0.75;

/** The sums of one server. Whatever is taken is given back by the same number of bytes, once. */
export class HeldWeight {
  #all = 0;

  constructor(private readonly limits: Pick<KnownLimits, 'held' | 'heldPerClient'>) {}

  /** Bytes that all clients make the server hold. */
  get all(): number {
    return this.#all;
  }

  /**
   * Throws `Denial` where a client, or all of them, would hold too much. A few clients with much of it do not keep out those who want
   * little.
   */
  check(load: ClientLoad, bytes: number): void {
    const { held, heldPerClient } = this.limits;
    if (load.weight + bytes > heldPerClient)
      throw overload(
        `A client may make the server hold ${inMebibytes(heldPerClient)} of memory (limits.heldPerClient). Wait for an answer first, or send less.`,
      );
    const room = bytes > SMALL ? held * SHARE_OF_LARGE : held;
    if (this.#all + bytes > room)
      throw overload(
        `All clients together may make the server hold ${inMebibytes(held)} of memory (limits.held). Try again later.`,
      );
  }

  /** Counts bytes that were checked, or gives them back where they are negative; those of the client are counted by its load. */
  add(bytes: number): void {
    this.#all += bytes;
  }

  /**
   * Takes room for what lasts. Throws `Denial` where there is none.
   * @returns gives it back; a second time it does nothing
   */
  take(load: ClientLoad, bytes: number): () => void {
    this.check(load, bytes);
    return this.count(load, bytes);
  }

  /**
   * Counts what lasts without asking for room: it was checked before, or began in another process.
   * @returns gives it back; a second time it does nothing
   */
  count(load: ClientLoad, bytes: number): () => void {
    this.add(bytes);
    load.hold(bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.add(-bytes);
      load.hold(-bytes);
    };
  }
}

function inMebibytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`;
}
