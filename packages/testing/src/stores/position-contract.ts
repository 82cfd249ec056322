/** The contract of a bus between instances: changes after a position. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { MaybePromise, Stores, BusListener, Change } from '@sigil-mcp/core/stores';
import { atOnce, until, type Contract, fresh, pause, timed } from './suite';

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

/** The messages and changes that one instance has received. */
export class ListeningInstance implements BusListener {
  readonly id = fresh('instance');
  readonly messages: string[] = [];
  readonly changes: string[] = [];
  readonly placed: Change[] = [];
  misses = 0;
  /** Called for each change, before it is recorded. */
  heard: (text: string) => void = () => undefined;
  leave: () => MaybePromise<void> = () => undefined;

  static async join({ bus }: Stores): Promise<ListeningInstance> {
    const instance = new ListeningInstance();
    instance.leave = await bus.join(instance.id, instance);
    return instance;
  }

  message(text: string): void {
    this.messages.push(text);
  }

  change(text: string, position: string): void {
    this.heard(text);
    this.changes.push(text);
    this.placed.push({ text, position });
  }

  missed(): void {
    this.misses++;
  }
}

/** The last changes that a bus keeps at least, or all of a shorter list. */
const LAST = 500;
/** The number of concurrent changes that no store takes too long for. */
const TURN = 250;

/** Values from clients that were never positions. */
const NONE = [
  ...['', '0', '-', '+', '$', '>', '0-0', '1-1', '0-1', 'none', 'undefined', '1e3', '-1-0', '../changes', '日本', '\n'],
  ...[`${'9'.repeat(20)}-0`, `${2n ** 64n}-${2n ** 64n}`, '9'.repeat(64), 'x'.repeat(10_000)],
];

const texts = (changes: readonly { readonly text: string }[] | undefined): string[] | undefined =>
  changes?.map(({ text }) => text);

/** Announces changes, one after another. */
async function announce({ bus }: Stores, ...changes: readonly string[]): Promise<void> {
  for (const change of changes) await bus.announce(change);
}

/** Calls a function with each element of a long list, some at a time. */
async function inTurns<T>(list: readonly T[], act: (each: T) => MaybePromise<unknown>): Promise<void> {
  for (let index = 0; index < list.length; index += TURN) await atOnce(list.slice(index, index + TURN), act);
}

/** What a bus must do for clients that reconnect. */
export const POSITION_CONTRACT: Contract = {
  // The first, so that nothing was announced before it.
  'has a position before there was any change': async (stores, other) => {
    const position = await stores.bus.position();
    match(position, /^[\w-]{1,64}$/);
    equal(await other.bus.position(), position);
    deepEqual(await other.bus.changesAfter(position), []);
    await announce(stores, 'one', '{"two":"\n🎈"}');
    deepEqual(texts(await other.bus.changesAfter(position)), ['one', '{"two":"\n🎈"}']);
    deepEqual(texts(await stores.bus.changesAfter(position)), ['one', '{"two":"\n🎈"}']);
  },
  'knows where the last change stands, for all, and what was announced after it': async (stores, other) => {
    await announce(stores, 'before');
    const position = await stores.bus.position();
    match(position, /^[\w-]{1,64}$/);
    equal(await other.bus.position(), position);
    deepEqual(await other.bus.changesAfter(position), []);
    await announce(other, 'one', 'two');
    deepEqual(texts(await stores.bus.changesAfter(position)), ['one', 'two']);
    deepEqual(await stores.bus.changesAfter(await other.bus.position()), []);
  },
  'says with each change where it stands, the same to all': async (stores, other) => {
    const [a, b] = [await ListeningInstance.join(stores), await ListeningInstance.join(other)];
    const before = await stores.bus.position();
    await announce(other, 'one', 'two', 'three');
    await until(() => a.placed.length >= 3 && b.placed.length >= 3);
    deepEqual(a.changes, ['one', 'two', 'three']);
    deepEqual(b.placed, a.placed);
    deepEqual(await stores.bus.changesAfter(before), a.placed);
    equal(await stores.bus.position(), a.placed.at(-1)?.position);
    for (const [index, { position }] of a.placed.entries()) {
      match(position, /^[\w-]{1,64}$/);
      deepEqual(await other.bus.changesAfter(position), a.placed.slice(index + 1));
    }
    await atOnce([a, b], (each) => each.leave());
  },
  'takes nothing that clients send for a position that it has never given': async (stores, other) => {
    await announce(stores, 'one');
    const position = await stores.bus.position();
    const similar = [
      `${position}0`,
      `0${position}`,
      `${position} `,
      ` ${position}`,
      position.toUpperCase() + '_',
      `(${position}`,
    ];
    for (const wrong of [...NONE, ...similar, position.replace(/-/g, '-0'), position.slice(0, -1)])
      equal(await other.bus.changesAfter(wrong), undefined, JSON.stringify(wrong));
    deepEqual(await other.bus.changesAfter(position), []);
  },
  'says so where it does not keep everything after a position, and keeps the last changes': async (
    stores,
    other,
    flood,
  ) => {
    const first = await stores.bus.position();
    const changes = Array.from({ length: flood }, (_, index) => `${index}`);
    const last = changes.slice(-Math.min(LAST, flood / 2));
    await inTurns(changes.slice(0, -last.length), (change) => stores.bus.announce(change));
    const late = await stores.bus.position();
    await inTurns(last, (change) => stores.bus.announce(change));
    deepEqual(texts(await other.bus.changesAfter(late)), last);
    const all = await other.bus.changesAfter(first);
    if (all) deepEqual(texts(all), changes);
  },
  'keeps changes, however many messages there are': async (stores, other, flood) => {
    const position = await stores.bus.position();
    await announce(stores, 'one');
    const a = await ListeningInstance.join(stores);
    const messages = Array.from({ length: flood }, (_, index) => `${index}`);
    await inTurns(messages, (message) => other.bus.broadcast(message));
    await inTurns(messages, (message) => other.bus.send(a.id, message));
    deepEqual(texts(await other.bus.changesAfter(position)), ['one']);
    await a.leave();
  },
};
