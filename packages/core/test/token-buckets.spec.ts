/** Rates that are kept for many at a time. */
import fc from 'fast-check';
import { TokenBuckets, isRate, periodOf } from '../src/limits/token-buckets';
import { systemClock, type Clock } from '@sigil-mcp/base';

/** A clock that only tells the time. */
function telling(elapsed: () => number): Clock {
  return { ...systemClock, elapsed };
}

describe('token buckets', () => {
  it('never let more through in any time than the rate says, and say rightly when there is room', () => {
    const rates = fc.record({ calls: fc.integer({ min: 1, max: 20 }), per: fc.integer({ min: 1, max: 1000 }) });
    const pauses = fc.array(fc.nat(300), { maxLength: 200 });
    fc.assert(
      fc.property(rates, pauses, (rate, steps) => {
        let now = 0;
        const buckets = new TokenBuckets(
          rate,
          telling(() => now),
        );
        const taken: number[] = [];
        for (const pause of steps) {
          now += pause;
          const wait = buckets.take('one');
          if (wait === 0) taken.push(now);
          else {
            now += wait;
            expect(buckets.take('one')).toBe(0);
            taken.push(now);
          }
        }
        for (const [index, at] of taken.entries()) {
          const within = taken.filter((other, place) => place <= index && other > at - rate.per).length;
          // A full bucket, and what comes back in one period.
          expect(within).toBeLessThanOrEqual(rate.calls * 2);
        }
      }),
    );
  });

  it('are apart for each key, and forgotten when they are full again', () => {
    let now = 0;
    const buckets = new TokenBuckets(
      { calls: 1, per: 100 },
      telling(() => now),
    );
    for (let key = 0; key < 500; key++) expect(buckets.take(`k${key}`)).toBe(0);
    expect([buckets.take('k0'), buckets.size]).toEqual([100, 500]);
    now = 200;
    expect([buckets.take('another'), buckets.size]).toEqual([0, 1]);
  });

  it('are never more than ten thousand', () => {
    const buckets = new TokenBuckets(
      { calls: 1, per: 'hour' },
      telling(() => 0),
    );
    for (let key = 0; key < 30_000; key++) buckets.take(key);
    expect(buckets.size).toBe(10_000);
  });
});

describe('a rate', () => {
  it('has a period in milliseconds or in words', () => {
    expect(
      [{ calls: 1, per: 'second' } as const, { calls: 1, per: 'hour' } as const, { calls: 1, per: 5 }].map(periodOf),
    ).toEqual([1000, 3_600_000, 5]);
  });

  it.each([
    { calls: 0, per: 'second' },
    { calls: 1.5, per: 'second' },
    { calls: 1, per: 0 },
    { calls: 1, per: Infinity },
    { calls: 1, per: 'toString' },
    { calls: '1', per: 1 },
  ])('is none: %j', (rate) => expect(isRate(rate as never)).toBe(false));
});
