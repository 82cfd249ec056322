/** The stores of a Durable Object do what every store does; its storage outlives the object. */
import { DurableStores } from '../src/cloudflare/create-worker';
import type { ObjectStorage } from '../src/cloudflare/durable-sessions';
import { StoreAway } from '@sigil-mcp/core/stores';
import { ManualClock } from '@sigil-mcp/testing';
import { describeStores } from '@sigil-mcp/testing/stores';

/** The part of the platform's storage that is used: values are copied, and one command follows the other. */
class Storage implements ObjectStorage {
  readonly entries = new Map<string, string>();
  writes = 0;
  alarm: number | null = null;
  isAway = false;

  async get(key: string): Promise<unknown> {
    await this.#turn();
    const text = this.entries.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  async put(key: string, value: object): Promise<void> {
    await this.#turn();
    this.writes += 1;
    this.entries.set(key, JSON.stringify(value));
  }

  async delete(key: string): Promise<boolean> {
    await this.#turn();
    return this.entries.delete(key);
  }

  async deleteAll(): Promise<void> {
    await this.#turn();
    this.entries.clear();
  }

  async list({ prefix }: { readonly prefix: string }): Promise<Map<string, unknown>> {
    await this.#turn();
    const found = [...this.entries].filter(([key]) => key.startsWith(prefix));
    return new Map(found.map(([key, text]) => [key, JSON.parse(text) as unknown]));
  }

  getAlarm(): Promise<number | null> {
    return Promise.resolve(this.alarm);
  }

  setAlarm(time: number): Promise<void> {
    this.alarm = time;
    return Promise.resolve();
  }

  async #turn(): Promise<void> {
    await Promise.resolve();
    if (this.isAway) throw new Error('the storage of the object is overloaded');
  }
}

const LIMITS = { events: 8, keepFor: 1000 };
const HOUR = 3_600_000;
const open = (storage: Storage, clock = new ManualClock()): DurableStores => new DurableStores(storage, LIMITS, clock);

describe('the stores of a Durable Object', () => {
  describeStores((limits) => {
    const stores = new DurableStores(new Storage(), limits);
    return [stores, stores];
  });

  it('have their sessions again after the object was removed from memory', async () => {
    const [storage, clock] = [new Storage(), new ManualClock()];
    const before = open(storage, clock);
    await before.sessions.open('one', 'record', HOUR);
    await before.sessions.replace('one', 'record', 'another');
    await clock.advance(HOUR - 1);
    const { sessions } = open(storage, clock);
    expect(await sessions.use('one', HOUR)).toBe('another');
    expect(await sessions.end('one')).toBe(true);
    expect(await open(storage, clock).sessions.use('one', HOUR)).toBeUndefined();
  });

  it('do not end a session early because a use of it was not written', async () => {
    const [storage, clock] = [new Storage(), new ManualClock()];
    const { sessions } = open(storage, clock);
    await sessions.open('one', 'record', HOUR);
    for (let minute = 0; minute < 300; minute += 1) {
      await clock.advance(60_000);
      expect(await sessions.use('one', HOUR)).toBe('record');
      expect(JSON.parse(storage.entries.get('session:one')!).until).toBeGreaterThanOrEqual(clock.now() + HOUR);
    }
    expect(storage.writes).toBeLessThan(25);
  });

  it('end a session earlier at once, also for an object that is new in memory', async () => {
    const [storage, clock] = [new Storage(), new ManualClock()];
    const { sessions } = open(storage, clock);
    await sessions.open('one', 'record', HOUR);
    expect(await sessions.use('one', HOUR / 60)).toBe('record');
    await clock.advance(HOUR / 60);
    expect(await sessions.use('one', HOUR)).toBeUndefined();
    await clock.advance(HOUR / 240);
    expect(await open(storage, clock).sessions.use('one', HOUR)).toBeUndefined();
  });

  it('know nothing that the storage has not taken', async () => {
    const [storage, clock] = [new Storage(), new ManualClock()];
    const { sessions } = open(storage, clock);
    await sessions.open('one', 'record', HOUR);
    storage.isAway = true;
    await expect(Promise.resolve(sessions.replace('one', 'record', 'another'))).rejects.toBeInstanceOf(StoreAway);
    await clock.advance(HOUR / 2);
    await expect(Promise.resolve(sessions.use('one', HOUR))).rejects.toBeInstanceOf(StoreAway);
    storage.isAway = false;
    expect(await sessions.replace('one', 'record', 'third')).toBe('replaced');
    expect(await open(storage, clock).sessions.use('one', HOUR)).toBe('third');
    // What was refused is not as long as it would have been.
    await clock.advance(HOUR / 2);
    expect(await sessions.use('one', HOUR)).toBeUndefined();
  });

  it('let one of two that replace the same record at once, and the other one see what the storage has', async () => {
    const storage = new Storage();
    const { sessions } = open(storage);
    await sessions.open('one', 'record', HOUR);
    const both = (): Promise<readonly unknown[]> =>
      Promise.all(
        ['two', 'three'].map((record) =>
          Promise.resolve(sessions.replace('one', 'record', record)).catch((error: Error) => error.constructor),
        ),
      );
    // The first write fails, so the second has its turn.
    const put = storage.put.bind(storage);
    storage.put = async () => {
      storage.put = put;
      throw new Error('overloaded');
    };
    expect(await both()).toEqual([StoreAway, 'replaced']);
    expect(await sessions.use('one', HOUR)).toBe('three');
    expect(await both()).toEqual(['changed', 'changed']);
  });

  it('answer requests that come at once, although the session has to be read first', async () => {
    const [storage, clock] = [new Storage(), new ManualClock()];
    await open(storage, clock).sessions.open('one', 'record', HOUR);
    const { sessions } = open(storage, clock);
    const [read, replaced, ended, late, again] = await Promise.all([
      sessions.use('one', HOUR),
      sessions.replace('one', 'record', 'another'),
      sessions.end('one'),
      sessions.use('one', HOUR),
      sessions.end('one'),
    ]);
    expect([read, replaced, ended, late, again]).toEqual(['record', 'replaced', true, undefined, false]);
    expect(await sessions.use('one', HOUR)).toBeUndefined();
    expect(storage.entries.size).toBe(0);
  });

  it('leave nothing behind when their sessions have ended', async () => {
    const [storage, clock] = [new Storage(), new ManualClock()];
    const { sessions } = open(storage, clock);
    await sessions.open('one', 'record', HOUR);
    await sessions.open('two', 'record', 2 * HOUR);
    expect(storage.alarm).toBe(clock.now() + 1.25 * HOUR);
    await clock.advance(1.25 * HOUR);
    await sessions.dropEnded();
    expect([...storage.entries.keys()]).toEqual(['session:two']);
    expect(storage.alarm).toBe(clock.now() + 1.25 * HOUR);
    await clock.advance(1.25 * HOUR);
    await open(storage, clock).sessions.dropEnded();
    expect(storage.entries.size).toBe(0);
  });

  it('look again when the first of them ends, although it was opened last', async () => {
    const [storage, clock] = [new Storage(), new ManualClock()];
    const { sessions } = open(storage, clock);
    await sessions.open('long', 'record', 2 * HOUR);
    await sessions.open('short', 'record', HOUR);
    expect(storage.alarm).toBe(clock.now() + 1.25 * HOUR);
    await sessions.open('longest', 'record', 4 * HOUR);
    expect(storage.alarm).toBe(clock.now() + 1.25 * HOUR);
  });

  it('keep a session that is used while ended ones are dropped', async () => {
    const [storage, clock] = [new Storage(), new ManualClock()];
    const { sessions } = open(storage, clock);
    await sessions.open('one', 'record', HOUR);
    await clock.advance(HOUR - 1);
    const list = storage.list.bind(storage);
    storage.list = async (options) => {
      const before = await list(options);
      await sessions.use('one', HOUR);
      await clock.advance(HOUR / 2);
      return before;
    };
    await sessions.dropEnded();
    expect(await sessions.use('one', HOUR)).toBe('record');
    expect(storage.entries.size).toBe(1);
  });

  it('say that they are away when the platform refuses', async () => {
    const storage = new Storage();
    storage.isAway = true;
    const { sessions } = open(storage);
    await expect(sessions.open('one', 'record', HOUR)).rejects.toBeInstanceOf(StoreAway);
    await expect(Promise.resolve(sessions.use('one', HOUR))).rejects.toBeInstanceOf(StoreAway);
    storage.isAway = false;
    expect(await sessions.use('one', HOUR)).toBeUndefined();
  });
});
