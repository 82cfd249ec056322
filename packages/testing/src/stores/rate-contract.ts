/** The contract of a store of rates. */
import { equal, ok } from 'node:assert/strict';
import { atOnce, type Contract, fresh, pause, timed } from './suite';

/** What a store of rates must do. */
export const RATE_CONTRACT: Contract = {
  'lets as many through as the rate says, also of those that come at once': async (stores, other) => {
    const [key, rate] = [fresh('key'), { calls: 5, per: 'hour' } as const];
    const waits = await atOnce([1, 2, 3, 4, 5, 6, 7, 8], (index) => (index % 2 ? stores : other).rates.take(key, rate));
    equal(waits.filter((wait) => wait === 0).length, 5);
    for (const wait of waits.filter((each) => each > 0)) ok(wait > 700_000 && wait <= 720_000, `${wait} ms`);
  },
  'says when there is room again, and then there is': (stores) =>
    timed(async (ms) => {
      const [key, rate] = [fresh('key'), { calls: 2, per: 2 * ms } as const];
      equal(await stores.rates.take(key, rate), 0);
      equal(await stores.rates.take(key, rate), 0);
      const wait = await stores.rates.take(key, rate);
      if (wait === 0) return false;
      ok(Number.isInteger(wait) && wait > 0 && wait <= ms, `${wait} ms`);
      await pause(wait + 20);
      equal(await stores.rates.take(key, rate), 0);
      return (await stores.rates.take(key, rate)) > 0;
    }),
  'keeps keys apart': async (stores) => {
    const rate = { calls: 1, per: 'minute' } as const;
    const [one, other] = [fresh('key'), fresh('key')];
    const long = `${one} of somebody: ${'x'.repeat(200)}`;
    const keys = [one, other, one.toUpperCase(), `${one} `, `${long}1`, `${long}2`];
    for (const key of keys) equal(await stores.rates.take(key, rate), 0, key);
    for (const key of keys) ok((await stores.rates.take(key, rate)) > 0, key);
  },
};
