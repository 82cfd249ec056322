/** Lets only so many commands wait for an answer at the same time. */

/** Runs what is asked for in its order. */
export class Turns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param most what runs at the same time */
  constructor(private readonly most: number) {}

  /** Runs a function, now or as soon as others have ended. Settles as it does. */
  async run<T>(start: () => Promise<T>): Promise<T> {
    if (this.#running < this.most) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await start();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
