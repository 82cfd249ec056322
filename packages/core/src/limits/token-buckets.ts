/** Rates for many keys: each has a bucket of tokens, which fills up again over time. */
import { systemClock, type Clock } from '@sigil-mcp/base';

/** So many times in so long. */
export interface Rate {
  /** How often, at least once; they may all come at the same time. */
  readonly calls: number;
  /** In how long: milliseconds, or one of these. */
  readonly per: number | 'second' | 'minute' | 'hour';
}

const MILLISECONDS = { second: 1000, minute: 60_000, hour: 3_600_000 } as const;

interface Bucket {
  tokens: number;
  /** When the tokens were counted, in milliseconds of the clock. */
  at: number;
}

/** Buckets at the same time; beyond it those that are full are forgotten, for a new one is as good, then the oldest. */
const MOST_BUCKETS = 10_000;

/** One bucket for each key. What was not used for a period is not kept. */
export class TokenBuckets {
  /** In the order of their last use. */
  readonly #buckets = new Map<unknown, Bucket>();
  readonly #size: number;
  /** Tokens that come back in a millisecond. */
  readonly #speed: number;

  constructor(
    rate: Rate,
    private readonly clock: Clock = systemClock,
  ) {
    this.#size = rate.calls;
    this.#speed = rate.calls / periodOf(rate);
  }

  /** How many keys have a bucket. */
  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Takes a token out of a key's bucket.
   * @returns 0 if there was one, else the milliseconds until there will be
   */
  take(key: unknown): number {
    const now = this.clock.elapsed();
    const bucket = this.#bucketOf(key, now);
    // What time has brought is a sum of fractions, and may miss a whole one by a hair.
    if (bucket.tokens < 1 - 1e-9) return Math.ceil((1 - bucket.tokens) / this.#speed);
    bucket.tokens -= 1;
    return 0;
  }

  #bucketOf(key: unknown, now: number): Bucket {
    const known = this.#buckets.get(key);
    const bucket = known ?? { tokens: this.#size, at: now };
    bucket.tokens = this.#tokensOf(bucket, now);
    bucket.at = now;
    if (known) this.#buckets.delete(key);
    else this.#forget(now);
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #tokensOf({ tokens, at }: Bucket, now: number): number {
    return Math.min(this.#size, tokens + (now - at) * this.#speed);
  }

  /** Those that were not used for longest are full first: the order of use is the order of looking. */
  #forget(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      const isFull = this.#tokensOf(bucket, now) >= this.#size;
      if (!isFull && this.#buckets.size < MOST_BUCKETS) return;
      this.#buckets.delete(key);
    }
  }
}

/** The time of a rate in milliseconds. */
export function periodOf({ per }: Rate): number {
  return typeof per === 'number' ? per : MILLISECONDS[per];
}

/** Whether a rate can be kept: its calls a whole number of at least 1, its time a known word or more than 0 milliseconds. */
export function isRate(rate: Rate): boolean {
  const { calls, per } = rate;
  if (!Number.isSafeInteger(calls) || calls < 1) return false;
  return typeof per === 'number' ? Number.isFinite(per) && per > 0 : Object.hasOwn(MILLISECONDS, per);
}
