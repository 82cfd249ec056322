/** Handlers of something that the host reports, and the last value for handlers that are added later. */

/** The handlers of one kind of report. */
export class LastValue<T> {
  readonly #handlers = new Set<(value: T) => unknown>();
  #last: { readonly value: T } | undefined;

  /** @param reportError receives what a handler throws: the other handlers run anyway */
  constructor(private readonly reportError: (error: unknown) => void) {}

  /** Adds a handler, which receives the last value at once if there is one. Returns a function that removes it. */
  add(handler: (value: T) => unknown): () => void {
    this.#handlers.add(handler);
    if (this.#last) this.#run(handler, this.#last.value);
    return () => void this.#handlers.delete(handler);
  }

  /** Gives a value to all handlers. */
  set(value: T): void {
    this.#last = { value };
    for (const handler of [...this.#handlers]) this.#run(handler, value);
  }

  #run(handler: (value: T) => unknown, value: T): void {
    try {
      handler(value);
    } catch (error) {
      this.reportError(error);
    }
  }
}
