/** The stores in memory: what every store does, and what only they can promise. */
import { isPromise } from '@sigil-mcp/core/internal';
import { MemoryStores, StoreAway, type BusListener } from '@sigil-mcp/core/stores';
import { ManualClock } from '@sigil-mcp/testing';
import { describeStores } from '@sigil-mcp/testing/stores';

describe('stores in memory', () => {
  describeStores((limits) => {
    const stores = new MemoryStores(limits);
    return [stores, stores];
  });

  it('return nothing that has to be waited for', () => {
    const { sessions, streams, bus, rates } = new MemoryStores();
    const name = { session: 's', stream: 'r0' };
    const listener: BusListener = { message: () => undefined, change: () => undefined, missed: () => undefined };
    const returned = [
      ...[sessions.open('s', 'one', 1000), sessions.use('s', 1000), sessions.replace('s', 'one', 'two')],
      ...[
        streams.open(name, 'a'),
        streams.append(name, 0, ['one']),
        streams.read(name, 0, 9),
        streams.follow(name, () => 0),
      ],
      ...[streams.end(name), streams.forget(name), sessions.end('s'), rates.take('k', { calls: 1, per: 1 })],
      ...[bus.join('a', listener), bus.announce('c'), bus.send('a', 'm'), bus.isAlive('a')],
      ...[bus.broadcast('m'), bus.position(), bus.changesAfter(bus.position())],
    ];
    expect(returned.filter((each) => isPromise(each))).toEqual([]);
  });

  it('keep a million characters of changes, so that long ones do not fill the memory', () => {
    const { bus } = new MemoryStores();
    const start = bus.position();
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(512 * 1024));
    bus.announce(texts[0] ?? '');
    const first = bus.position();
    bus.announce(texts[1] ?? '');
    expect(bus.changesAfter(start)?.map(({ text }) => text)).toEqual(texts.slice(0, 2));
    bus.announce(texts[2] ?? '');
    expect(bus.changesAfter(start)).toBeUndefined();
    expect(bus.changesAfter(first)?.map(({ text }) => text)).toEqual(texts.slice(1));
    bus.announce('d'.repeat(1024 * 1024 + 1));
    expect(bus.changesAfter(first)).toBeUndefined();
    expect(bus.changesAfter(bus.position())).toEqual([]);
    bus.announce('e');
    expect(bus.changesAfter(bus.position())).toEqual([]);
  });

  it('keep nothing of what is over', async () => {
    const clock = new ManualClock();
    const { sessions, streams } = new MemoryStores({ events: 8, keepFor: 20 }, clock);
    for (let index = 0; index < 50; index++) {
      sessions.open(`s${index}`, 'one', 20);
      streams.open({ session: 's', stream: `r${index}` }, 'a');
      streams.append({ session: 's', stream: `r${index}` }, 0, ['one'], true);
    }
    expect([sessions.size, streams.size.events]).toEqual([50, 50]);
    await clock.advance(40);
    sessions.open('last', 'one', 20);
    expect([sessions.size, streams.size.allocated]).toEqual([1, 0]);
  });

  it('remove an expired session within a second, although sessions in use stand before it', async () => {
    const clock = new ManualClock();
    const { sessions } = new MemoryStores(undefined, clock);
    sessions.open('often', 'one', 10_000);
    sessions.open('unused', 'one', 10_000);
    for (const pause of [900, 900, 900, 6400]) {
      await clock.advance(pause);
      expect(sessions.use('often', 10_000)).toBe('one');
    }
    await clock.advance(1000);
    sessions.open('new', 'one', 10_000);
    expect(sessions.size).toBe(2);
    expect(sessions.use('unused', 10_000)).toBeUndefined();
    expect(sessions.use('often', 10_000)).toBe('one');
  });

  it('keep the last thousand changes', () => {
    const { bus } = new MemoryStores();
    const position = bus.position();
    for (let index = 0; index < 1000; index++) bus.announce(`${index}`);
    expect(bus.changesAfter(position)).toHaveLength(1000);
    bus.announce('1000');
    expect(bus.changesAfter(position)).toBeUndefined();
  });

  it('take no position of a process before', () => {
    expect(new MemoryStores().bus.changesAfter(new MemoryStores().bus.position())).toBeUndefined();
  });

  it('tell nobody who has left', () => {
    const { bus } = new MemoryStores();
    const heard: string[] = [];
    const listener = (message: (text: string) => void): BusListener => ({
      message,
      change: () => undefined,
      missed: () => undefined,
    });
    bus.join(
      'a',
      listener((text) => {
        heard.push(`a ${text}`);
        leave();
      }),
    );
    const leave = bus.join(
      'b',
      listener((text) => heard.push(`b ${text}`)),
    );
    bus.broadcast('one');
    expect(heard).toEqual(['a one']);
  });

  it('have a word for a store that is away, which says 503 and nothing of the reason', () => {
    const away = new StoreAway(new Error('connect ECONNREFUSED 10.0.0.7:6379'));
    expect(away).toMatchObject({ status: 503, retryAfter: 2 });
    expect(away.message).toBe('The store of this server is unreachable. Try again later.');
  });
});
