/** What several clients wait for, taken by turns. */

/** How many calls of a tool run at the same time. */
export interface Concurrency {
  /** Of all clients. */
  readonly calls: number;
  /** Of one client; a program on the machine of its user may have all. */
  readonly perClient: number;
}

/** Items of clients: each client has its turn, and its own items keep their order. */
export class ClientTurns<T> {
  /** The client whose turn is next comes first. */
  readonly #items = new Map<unknown, Set<T>>();

  add(client: unknown, item: T): void {
    const own = this.#items.get(client);
    if (own) own.add(item);
    else this.#items.set(client, new Set([item]));
  }

  /** Takes an item out before its turn. Returns whether it was there. */
  delete(client: unknown, item: T): boolean {
    const own = this.#items.get(client);
    const wasThere = own?.delete(item) === true;
    if (own?.size === 0) this.#items.delete(client);
    return wasThere;
  }

  /**
   * Takes the next item: of the client that has the fewest places, and of those of the one that has waited longest. It has a place then.
   * @param places left out where one item runs at a time
   * @returns undefined if nothing waits, or nobody who waits may have a place
   */
  take(places?: Places): { readonly client: unknown; readonly item: T } | undefined {
    let next: readonly [client: unknown, own: Set<T>] | undefined;
    for (const each of this.#items) {
      if (places && !places.hasRoom(each[0])) continue;
      if (!next || (places && places.taken(each[0]) < places.taken(next[0]))) next = each;
      if (!places || places.taken(each[0]) === 0) break;
    }
    if (!next) return undefined;
    const [client, own] = next;
    const [item] = own as Set<T> & Iterable<T>;
    own.delete(item as T);
    this.#items.delete(client);
    if (own.size > 0) this.#items.set(client, own);
    places?.take(client);
    return { client, item: item as T };
  }
}

/** Each client has at most its share of the places, so that none has all. */
export class Places {
  readonly #taken = new Map<unknown, number>();
  #all = 0;

  /**
   * @param most places of all clients
   * @param share places that a client may have
   */
  constructor(
    private readonly most: number,
    private readonly share: (client: unknown) => number,
  ) {}

  /** Whether there is one more for a client. */
  hasRoom(client: unknown): boolean {
    return this.#all < this.most && this.taken(client) < this.share(client);
  }

  /** The places that a client has. */
  taken(client: unknown): number {
    return this.#taken.get(client) ?? 0;
  }

  /** Takes one, also beyond all places: what has begun goes on. */
  take(client: unknown): void {
    this.#add(client, 1);
  }

  give(client: unknown): void {
    this.#add(client, -1);
  }

  #add(client: unknown, change: 1 | -1): void {
    this.#all += change;
    const own = this.taken(client) + change;
    if (own === 0) this.#taken.delete(client);
    else this.#taken.set(client, own);
  }
}
