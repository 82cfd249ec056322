/** The time limit for connecting, which pauses while the user at the terminal answers. */

/** A deadline that can be paused. */
export class ConnectDeadline {
  /** Resolves when it has passed; never resolves after `clear`. */
  readonly passed: Promise<void>;
  #pass: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #left: number;
  #since = 0;
  #holders = 0;

  /** @param milliseconds from now on */
  constructor(milliseconds: number) {
    this.#left = milliseconds;
    this.passed = new Promise((resolve) => (this.#pass = resolve));
    this.#run();
  }

  /** Pauses the deadline during other work. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#holders++ === 0) this.#stop();
    try {
      return await work();
    } finally {
      if (--this.#holders === 0) this.#run();
    }
  }

  clear(): void {
    this.#left = Infinity;
    clearTimeout(this.#timer);
  }

  #run(): void {
    if (this.#left === Infinity) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#pass(), Math.max(0, this.#left));
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }
}
