/** What a run counts: broken promises, what happened, and how long it took. */
import { PROMISES, type PromiseName } from '../promises';

/** Examples that are kept of each broken promise. */
const EXAMPLES = 5;

/** What is counted beside the promises. */
export type Counted =
  | 'calls answered'
  | 'calls that ended with an error'
  | 'calls whose connection broke'
  | 'calls refused with 503'
  | 'sessions opened'
  | 'sessions renewed after Redis was emptied'
  | 'sessions ended'
  | 'streams cut'
  | 'streams left half-open'
  | 'streams resumed'
  | 'streams resumed at another process'
  | 'questions answered'
  | 'questions answered at another process'
  | 'cancellations heard'
  | 'changes heard'
  | 'tasks completed'
  | 'tasks that failed with their worker'
  | 'tasks cancelled'
  | 'tasks gone with the data of Redis'
  | 'questions of tasks answered';

/** The book that everybody writes into. */
export class Ledger {
  readonly #broken = new Map<PromiseName, { count: number; readonly examples: string[] }>();
  readonly #seen = new Map<PromiseName, AbortController>();
  readonly #counts = new Map<Counted, number>();
  readonly #hops: number[] = [];

  /** Fires when this promise is broken. */
  broken(promise: PromiseName): AbortSignal {
    const seen = this.#seen.get(promise) ?? new AbortController();
    this.#seen.set(promise, seen);
    return seen.signal;
  }

  /** A promise was broken. @param how for people */
  break(promise: PromiseName, how: string): void {
    const known = this.#broken.get(promise) ?? { count: 0, examples: [] };
    known.count++;
    if (known.examples.length < EXAMPLES) known.examples.push(how);
    this.#broken.set(promise, known);
    this.#seen.get(promise)?.abort();
  }

  /** Something happened. */
  count(what: Counted): void {
    this.#counts.set(what, this.counted(what) + 1);
  }

  /** How often it happened. */
  counted(what: Counted): number {
    return this.#counts.get(what) ?? 0;
  }

  /** An answer took so many milliseconds from its client, over another process, to the one that had asked. */
  hop(milliseconds: number): void {
    this.#hops.push(milliseconds);
  }

  /** The times of the hops, in order of their length. */
  get hops(): readonly number[] {
    return [...this.#hops].sort((one, other) => one - other);
  }

  /** How often each promise was broken, with examples. */
  get promises(): readonly {
    readonly name: PromiseName;
    readonly count: number;
    readonly examples: readonly string[];
  }[] {
    const names = Object.keys(PROMISES) as PromiseName[];
    return names.map((name) => ({ name, ...(this.#broken.get(name) ?? { count: 0, examples: [] }) }));
  }

  /** What happened, and how often. */
  get counts(): ReadonlyMap<Counted, number> {
    return this.#counts;
  }

  /** Whether every promise was kept. */
  get isClean(): boolean {
    return this.#broken.size === 0;
  }
}
