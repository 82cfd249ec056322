/** Rates in memory. */
import { periodOf, type Rate } from '../limits/rate';
import { TokenBuckets } from '../limits/token-buckets';
import { systemClock, type Clock } from '@sigil-mcp/base';
import type { RateStore } from './rate-store';

/** Has buckets for each rate. */
export class MemoryRates implements RateStore {
  readonly #rates = new Map<string, TokenBuckets>();

  constructor(private readonly clock: Clock = systemClock) {}

  take(key: string, rate: Rate): number {
    const name = `${rate.calls} ${periodOf(rate)}`;
    const known = this.#rates.get(name);
    const buckets = known ?? new TokenBuckets(rate, this.clock);
    if (!known) this.#rates.set(name, buckets);
    return buckets.take(key);
  }
}
