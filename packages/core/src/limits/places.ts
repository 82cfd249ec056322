/** Places for what runs at the same time, which several clients share. */

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
