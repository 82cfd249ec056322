/** The time of a store, as a process tells it between two answers. */
import { systemClock } from '@sigil-mcp/core/adapter';
import { ManualClock } from '@sigil-mcp/testing';
import { turn } from '../../../test/support/turn';
import { StoreTime } from '../src/store-time';

const T = 1_800_000_000_000;

/** A store whose answers take some time on their way, half of it there and half back. */
class SlowStore {
  readonly isDurable = true;
  ahead = 0;
  isAway = false;
  wayThere = 0;
  wayBack = 0;

  constructor(private readonly clock: ManualClock) {}

  async now(): Promise<number> {
    if (this.isAway) throw new Error('away');
    await this.#passes(this.wayThere);
    const now = T + this.clock.elapsed() + this.ahead;
    await this.#passes(this.wayBack);
    return now;
  }

  #passes(milliseconds: number): Promise<void> {
    return milliseconds === 0 ? Promise.resolve() : new Promise((resolve) => this.clock.after(milliseconds, resolve));
  }
}

/** A process, whose date is not that of the store. */
async function follow(prepare: (store: SlowStore) => void = () => undefined) {
  const clock = new ManualClock();
  const store = new SlowStore(clock);
  prepare(store);
  const time = new StoreTime(store, clock);
  const closing = new AbortController();
  const following = time.follow(closing.signal);
  await clock.advance(store.wayThere + store.wayBack);
  const ahead = await following;
  /** By how much the time is wrong. */
  const error = (): number => time.now() - (T + clock.elapsed() + store.ahead);
  return { clock, store, time, ahead, error, closing };
}

it('is that of the store from the first answer on, whatever the date of the process is, or becomes', async () => {
  const { clock, error, ahead } = await follow();
  expect(ahead).toBe(new ManualClock().now() - T);
  expect(error()).toBe(0);
  clock.setDate(5);
  await clock.advance(60_000);
  expect(error()).toBe(0);
});

it('is wrong by no more than half of what an answer took, and a slow answer does not spoil a quick one', async () => {
  const { clock, store, error } = await follow((each) => Object.assign(each, { wayThere: 900, wayBack: 100 }));
  expect(error()).toBe(400);
  Object.assign(store, { wayThere: 0, wayBack: 0 });
  await clock.advance(5000);
  expect(Math.abs(error())).toBeLessThanOrEqual(400);
  await clock.advance(1000);
  expect(Math.abs(error())).toBeLessThanOrEqual(1);
  Object.assign(store, { wayThere: 0, wayBack: 800 });
  await clock.advance(20_000);
  expect(Math.abs(error())).toBeLessThanOrEqual(1);
});

it('does not go back while its doubt becomes smaller', async () => {
  const { clock, store, time } = await follow((each) => Object.assign(each, { wayThere: 900, wayBack: 100 }));
  Object.assign(store, { wayThere: 0, wayBack: 0 });
  let last = 0;
  for (let passed = 0; passed < 12_000; passed += 100) {
    expect(time.now()).toBeGreaterThanOrEqual(last);
    last = time.now();
    await clock.advance(100);
  }
});

it('follows a store whose time was set, or that is another one after a failure', async () => {
  const { clock, store, error } = await follow();
  for (const jump of [-3_600_000, 7_200_000]) {
    store.ahead += jump;
    await clock.advance(5000);
    expect(error()).toBe(0);
  }
});

it('goes on while the store is away, and asks it again when it is back', async () => {
  const { clock, store, error, ahead } = await follow((each) => (each.isAway = true));
  expect(ahead).toBe(0);
  store.isAway = false;
  await clock.advance(5000);
  expect(error()).toBe(0);
  store.isAway = true;
  await clock.advance(600_000);
  expect(error()).toBe(0);
});

it('asks no longer when the server closes', async () => {
  const { clock, closing } = await follow();
  expect(clock.pending).toBe(1);
  closing.abort();
  await turn();
  expect(clock.pending).toBe(0);
});

it('asks no longer when the server was closed while it asked', async () => {
  const clock = new ManualClock();
  const closing = new AbortController();
  const store = new SlowStore(clock);
  store.wayThere = 100;
  const following = new StoreTime(store, clock).follow(closing.signal);
  closing.abort();
  await clock.advance(100);
  await following;
  expect(clock.pending).toBe(0);
});

it('is the date of the process where others share a store that tells no time', async () => {
  const clock = new ManualClock();
  const time = new StoreTime({ isDurable: true }, clock);
  expect(await time.follow(new AbortController().signal)).toBe(0);
  clock.setDate(17);
  expect(time.now()).toBe(17);
  expect(new StoreTime({ isDurable: false }, systemClock).now()).toBeGreaterThan(T / 2);
});
