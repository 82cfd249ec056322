/** Streams of events in memory: what they replay, what they drop first, and that their memory is bounded and given back. */
import { MemoryStores, STREAM_LIMITS, type EventLimits } from '@sigil-mcp/core/stores';
import { ManualClock } from '@sigil-mcp/testing';
import fc from 'fast-check';
import { EventRing } from '../src/stores/event-ring';
import { runs } from '../../../test/support/matrix';

const KIBIBYTE = 1024;
const LIMITS: EventLimits = { streamEvents: 1000, sessionEvents: Infinity, events: 32 * KIBIBYTE * KIBIBYTE };
/** More events than a stream of these tests has. */
const ALL = 10_000;

let clock: ManualClock;
const open = (limits: Partial<EventLimits> = {}, keepFor = STREAM_LIMITS.keepFor) => {
  const stores = new MemoryStores({ ...STREAM_LIMITS, keepFor }, (clock = new ManualClock()));
  stores.streams.limit({ ...LIMITS, ...limits });
  return stores;
};
const nameOf = (session: string, stream: string) => ({ session, stream });

describe('streams in memory', () => {
  it('have each event as it was, also one that is longer than a segment of memory, whatever lies before it', () => {
    const lengths = fc.array(fc.oneof(fc.nat(300), fc.integer({ min: 20_000, max: 200_000 })), { maxLength: 60 });
    fc.assert(
      fc.property(lengths, fc.constantFrom('a', 'é', '🎈', '"\n'), (all, character) => {
        const { streams } = open();
        const texts = all.map((length, index) => `${index} ${character.repeat(length)}`);
        for (const [index, text] of texts.entries()) {
          if (index % 3 === 0) streams.addWhole(nameOf('s', `whole${index}`), text);
          else {
            streams.open(nameOf('s', 'parts'), 'owner');
            const { last = 0 } = streams.read(nameOf('s', 'parts'), 0, ALL) ?? {};
            streams.append(nameOf('s', 'parts'), last, [text]);
          }
        }
        const isPart = (_: string, index: number): boolean => index % 3 !== 0;
        const parts = streams.read(nameOf('s', 'parts'), 0, ALL)?.events.map(({ data }) => data) ?? [];
        expect(parts.length).toBe(texts.filter(isPart).length);
        expect(parts.every((data, index) => data === texts.filter(isPart)[index])).toBe(true);
        for (const [index, text] of texts.entries()) {
          if (index % 3 !== 0) continue;
          const part = streams.read(nameOf('s', `whole${index}`), 0, ALL);
          expect([part?.isOver, part?.last, part?.hasGap, part?.events[0]?.data === text]).toEqual([
            true,
            1,
            false,
            true,
          ]);
        }
      }),
      { numRuns: runs(40) },
    );
  });

  it('keep the newest of a session and of all, and say where something is missing', () => {
    const added = fc.array(fc.tuple(fc.constantFrom('s', 't'), fc.constantFrom('a', 'b'), fc.nat(3000)), {
      maxLength: 200,
    });
    const limits = fc.record({
      streamEvents: fc.integer({ min: 1, max: 50 }),
      sessionEvents: fc.integer({ min: 1, max: 100_000 }),
      events: fc.integer({ min: 1, max: 150_000 }),
    });
    fc.assert(
      fc.property(added, limits, (events, most) => {
        const { streams } = open(most);
        const sent = new Map<string, string[]>();
        for (const [session, stream, length] of events) {
          const name = nameOf(session, stream);
          const texts = sent.get(`${session} ${stream}`) ?? [];
          sent.set(`${session} ${stream}`, texts);
          streams.open(name, 'owner');
          streams.append(name, texts.length, [`${texts.length} `.padEnd(length, '.')]);
          texts.push(`${texts.length} `.padEnd(length, '.'));
          const { bytes, events: count } = streams.size;
          expect(bytes <= most.events || count === 1).toBe(true);
          // The newest of all is never dropped.
          expect(streams.read(name, texts.length - 1, ALL)?.events).toHaveLength(1);
        }
        for (const [key, texts] of sent) {
          const [session = '', stream = ''] = key.split(' ');
          const kept = [...texts.keys()].filter(
            (index) => streams.read(nameOf(session, stream), index, ALL)?.hasGap === false,
          );
          // Without gaps up to the end.
          expect(kept).toEqual(kept.map((_, index) => texts.length - kept.length + index));
          expect(kept.length).toBeLessThanOrEqual(most.streamEvents);
          for (const index of kept) {
            const read = streams.read(nameOf(session, stream), index, ALL)?.events.map(({ data }) => data);
            expect(read).toEqual(texts.slice(index));
          }
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('drop the oldest of all sessions first', () => {
    const { streams } = open({ events: 3000 });
    const text = 'x'.repeat(900);
    for (const session of ['a', 'b', 'c']) streams.addWhole(nameOf(session, 'r0'), text);
    const kept = () => ['a', 'b', 'c', 'd'].filter((session) => streams.read(nameOf(session, 'r0'), 0, ALL));
    expect(kept()).toEqual(['a', 'b', 'c']);
    streams.addWhole(nameOf('d', 'r0'), text);
    expect(kept()).toEqual(['b', 'c', 'd']);
    streams.addWhole(nameOf('d', 'r1'), 'x'.repeat(5000));
    expect([kept(), streams.size.events]).toEqual([[], 1]);
  });

  it('leave the memory flat with a million events, and the heap as well', () => {
    const { streams } = open({ events: 4 * KIBIBYTE * KIBIBYTE, sessionEvents: 256 * KIBIBYTE });
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '5' }] } });
    const add = (count: number): void => {
      for (let index = 0; index < count; index++) streams.addWhole(nameOf(`s${index % 50}`, `x${index}`), text);
    };
    add(100_000);
    const before = process.memoryUsage();
    const { allocated } = streams.size;
    add(1_000_000);
    const after = process.memoryUsage();
    expect(streams.size.allocated).toBeLessThanOrEqual(allocated + 256 * KIBIBYTE);
    expect(streams.size.allocated).toBeLessThanOrEqual(4.5 * KIBIBYTE * KIBIBYTE);
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(KIBIBYTE * KIBIBYTE);
    // Garbage is not counted as a leak: a tenth of what objects for the events would take.
    expect(after.heapUsed - before.heapUsed).toBeLessThan(100 * KIBIBYTE * KIBIBYTE);
  });

  it('cost little for ten thousand sessions with few events each', () => {
    const { streams } = open();
    for (let index = 0; index < 10_000; index++)
      for (const stream of ['a', 'b']) streams.addWhole(nameOf(`session-${index}`, stream), '{"jsonrpc":"2.0"}');
    expect(streams.size.events).toBe(20_000);
    expect(streams.size.allocated).toBeLessThan(2.5 * KIBIBYTE * KIBIBYTE);
  });

  it('give memory back that is needed no more: with a session, with a stream, and with time', async () => {
    const { streams, sessions } = open({}, 60_000);
    const text = 'x'.repeat(1000);
    sessions.open('ended', 'record', 1000);
    for (let index = 0; index < 200; index++) streams.addWhole(nameOf('ended', `x${index}`), text);
    streams.addWhole(nameOf('other', 'x0'), text);
    expect(streams.size.allocated).toBeGreaterThan(200_000);
    sessions.end('ended');
    expect(streams.size).toEqual({ events: 1, bytes: 1072, allocated: 64 * KIBIBYTE });
    streams.forget(nameOf('other', 'x0'));
    expect(streams.size).toEqual({ events: 0, bytes: 0, allocated: 0 });
    streams.addWhole(nameOf('other', 'x1'), text);
    streams.open(nameOf('other', 'silent'), 'owner');
    await clock.advance(30_000);
    expect(streams.read(nameOf('other', 'x1'), 0, ALL)?.events).toHaveLength(1);
    streams.addWhole(nameOf('other', 'x2'), text);
    await clock.advance(45_000);
    expect(streams.read(nameOf('other', 'x1'), 0, ALL)).toBeUndefined();
    expect(streams.append(nameOf('other', 'silent'), 0, ['late'])).toBe(false);
    expect(streams.size.events).toBe(1);
    await clock.advance(60_000);
    expect(streams.size).toEqual({ events: 0, bytes: 0, allocated: 0 });
  });

  it('are opened and written without a look at what their session has kept', () => {
    const { streams } = open();
    for (let index = 0; index < 1000; index++) streams.addWhole(nameOf('s', `whole${index}`), 'text');
    const looks = jest.spyOn(EventRing.prototype, 'isOf');
    try {
      streams.open(nameOf('s', 'new'), 'owner');
      for (let place = 0; place < 10; place++) streams.append(nameOf('s', 'new'), place, ['text']);
      expect(looks).not.toHaveBeenCalled();
      expect(streams.read(nameOf('s', 'new'), 0, ALL)?.last).toBe(10);
      expect(looks.mock.calls.length).toBeLessThan(30);
    } finally {
      looks.mockRestore();
    }
  });

  it('have nothing of an earlier stream with their name: one that was whole, or one that has expired', async () => {
    const { streams } = open({}, 1000);
    const name = nameOf('s', 'again');
    const data = (): (string | undefined)[] | undefined =>
      streams.read(name, 0, ALL)?.events.map((event) => event.data);
    streams.addWhole(name, 'whole');
    expect(streams.open(name, 'owner')).toBe(true);
    expect(data()).toEqual([]);
    streams.append(name, 0, ['1', '2'], true);
    expect(data()).toEqual(['1', '2']);
    // Its events outlive it, because another stream of the session is older and still open.
    streams.open(nameOf('s', 'other'), 'owner');
    await clock.advance(900);
    streams.open(nameOf('s', 'other'), 'owner');
    await clock.advance(150);
    expect(data()).toBeUndefined();
    expect(streams.open(name, 'another owner')).toBe(true);
    streams.append(name, 0, ['3']);
    expect(streams.read(name, 0, ALL)).toMatchObject({ owner: 'another owner', last: 1, hasGap: false, isOver: false });
    expect(data()).toEqual(['3']);
    streams.forget(name);
    expect(data()).toBeUndefined();
  });

  it('keep the beginning of a long stream as long as its end', async () => {
    const { streams } = open({}, 60_000);
    const name = nameOf('s', 'long');
    streams.open(name, 'owner');
    for (let turn = 0; turn < 5; turn++) {
      streams.append(name, turn, [`${turn}`]);
      await clock.advance(40_000);
    }
    streams.append(name, 5, ['end'], true);
    await clock.advance(50_000);
    expect(streams.read(name, 0, ALL)?.events.map(({ data }) => data)).toEqual(['0', '1', '2', '3', '4', 'end']);
    await clock.advance(30_000);
    expect(streams.read(name, 0, ALL)).toBeUndefined();
  });

  it('drop what lies between events of others, and find the rest', () => {
    const { streams } = open();
    for (let index = 0; index < 300; index++) streams.addWhole(nameOf('s', `x${index}`), 'x'.repeat(1000));
    for (let index = 10; index < 290; index++) streams.forget(nameOf('s', `x${index}`));
    const kept = Array.from({ length: 300 }, (_, index) => index).filter((index) =>
      streams.read(nameOf('s', `x${index}`), 0, ALL),
    );
    expect(kept).toEqual(Array.from({ length: 20 }, (_, index) => (index < 10 ? index : index + 280)));
    expect(streams.size.allocated).toBe(192 * KIBIBYTE);
  });
});
