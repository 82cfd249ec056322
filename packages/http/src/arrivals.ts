/** Requests that have come and are not handled yet, for the end of an endpoint: an adapter that knows its connections knows more. */
/** What an endpoint asks about the requests on their way. */
export interface Arrivals {
  /** How many requests have come since no new connections are taken. */
  readonly requestsSince: number;
  /** Whether a request has come that is not handled yet. */
  readonly isArriving: boolean;
  /** Resolves when each request that has come is handled, or its client is gone. */
  allHandled(): Promise<void>;
  /** Resolves when no connection is open on which nothing is answered. */
  idleOnesGone(): Promise<void>;
}

/** Counts the requests of an adapter without connections. */
export class CountedArrivals implements Arrivals {
  #requests = 0;
  readonly #open = new Set<Promise<unknown>>();

  get requestsSince(): number {
    return this.#requests;
  }

  get isArriving(): boolean {
    return this.#open.size > 0;
  }

  /** A request has come: until the promise settles it is not handled. */
  add(handled: Promise<unknown>): void {
    this.#requests += 1;
    this.#open.add(handled);
    const remove = (): void => void this.#open.delete(handled);
    handled.then(remove, remove);
  }

  async allHandled(): Promise<void> {
    await Promise.allSettled(this.#open);
  }

  async idleOnesGone(): Promise<void> {
    // There are no connections here.
  }
}
