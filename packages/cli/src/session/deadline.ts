/** The time limit for connecting, which pauses while the user at the terminal answers. */
import { systemClock, type Clock, type Timer } from '@sigil-mcp/core/adapter';

/** A deadline that can be paused. */
export class ConnectDeadline {
  /** Resolves when it has passed; never resolves after `clear`. */
  readonly passed: Promise<void>;
  #pass: () => void = () => undefined;
  #timer: Timer | undefined;
  #left: number;
  #since = 0;
  #holders = 0;

  /** @param milliseconds from now on */
  constructor(
    milliseconds: number,
    private readonly clock: Clock = systemClock,
  ) {
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
    this.#timer?.close();
  }

  #run(): void {
    if (this.#left === Infinity) return;
    this.#since = this.clock.elapsed();
    this.#timer = this.clock.after(Math.max(0, this.#left), () => this.#pass());
  }

  #stop(): void {
    this.#timer?.close();
    this.#left -= this.clock.elapsed() - this.#since;
  }
}
