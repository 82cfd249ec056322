/** What several clients wait for, taken by turns. */

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
   * Takes the next item, of the first client that may have it; this client comes after all others then.
   * @returns undefined if nothing waits, or nobody may
   */
  take(may: (client: unknown) => boolean = () => true): { readonly client: unknown; readonly item: T } | undefined {
    for (const [client, own] of this.#items) {
      if (!may(client)) continue;
      const [item] = own as Set<T> & Iterable<T>;
      own.delete(item as T);
      this.#items.delete(client);
      if (own.size > 0) this.#items.set(client, own);
      return { client, item: item as T };
    }
    return undefined;
  }
}
