/** What is counted while a load runs. */
import { quantile } from '../../../test/measures/bench/median.mjs';

const OPENING = 'initialize';
const LIST = 'tools/list';

export class Counts {
  /** Milliseconds of each counted request, by its name. */
  #times = new Map();
  #onWire = 0;
  #wrong = 0;

  count(name, elapsed, isRight) {
    const times = this.#times.get(name) ?? [];
    if (times.length === 0) this.#times.set(name, times);
    times.push(elapsed);
    this.overhead(isRight);
  }

  overhead(isRight) {
    this.#onWire += 1;
    if (!isRight) this.#wrong += 1;
  }

  /** How many requests have counted so far. */
  get counted() {
    return [...this.#times.values()].reduce((sum, times) => sum + times.length, 0);
  }

  /** @returns the numbers of requests, and the latencies of calls of tools in milliseconds */
  read() {
    const calls = [...this.#times].filter(([name]) => name !== OPENING && name !== LIST).flatMap(([, times]) => times);
    return {
      counted: this.counted,
      onWire: this.#onWire,
      wrong: this.#wrong,
      p50: quantile(calls, 0.5),
      p95: quantile(calls, 0.95),
      p99: quantile(calls, 0.99),
      medians: Object.fromEntries([...this.#times].map(([name, times]) => [name, quantile(times, 0.5)])),
    };
  }
}
