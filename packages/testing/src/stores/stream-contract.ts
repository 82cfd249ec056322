/** The contract of a store of streams. */
import { deepEqual, equal } from 'node:assert/strict';
import type { Stores, StreamName, StreamPart } from '@sigil-mcp/core/stores';
import { atOnce, type Contract, fresh, LIMITS, LONG_TEXT, pause, timed, until } from './suite';

/** More events than a stream of these tests keeps. */
const ALL = 100;

const name = (): StreamName => ({ session: fresh('session'), stream: fresh('r') });
const said = (part: StreamPart | undefined): string[] | undefined => part?.events.map(({ data }) => data);

/** A stream with some events. */
async function opened({ streams }: Stores, ...words: string[]): Promise<StreamName> {
  const stream = name();
  equal(await streams.open(stream, 'a'), true);
  if (words.length > 0) equal(await streams.append(stream, 0, words), true);
  return stream;
}

/** What a store of streams must do. */
export const STREAM_CONTRACT: Contract = {
  'counts events from 1, without gaps, and reads what follows a place': async (stores, other) => {
    const stream = await opened(stores);
    const { streams } = stores;
    equal(await streams.append(stream, 0, ['one']), true);
    equal(await streams.append(stream, 1, ['{"two":"\n🎈"}', '']), true);
    const events = [
      { place: 1, data: 'one' },
      { place: 2, data: '{"two":"\n🎈"}' },
      { place: 3, data: '' },
    ];
    deepEqual(await streams.read(stream, 0, ALL), { owner: 'a', events, last: 3, hasGap: false, isOver: false });
    deepEqual(said(await other.streams.read(stream, 2, ALL)), ['']);
    deepEqual(said(await streams.read(stream, 3, ALL)), []);
  },
  'has events as they were said, equal ones, blank ones and long ones, too': async (stores, other) => {
    const words = ['same', 'same', ' same ', '', '', LONG_TEXT];
    const stream = await opened(stores, ...words);
    equal(await stores.streams.end(stream, LONG_TEXT), true);
    const heard = said(await other.streams.read(stream, 0, ALL)) ?? [];
    // Texts this long make no readable failure, so the test prints only whether they are equal.
    deepEqual(
      heard.map((text, index) => text === (words[index] ?? LONG_TEXT)),
      [...words, ''].map(() => true),
    );
  },
  'is of its session alone, also where streams of others have the same name': async (stores, other) => {
    const [session, part] = [fresh('session'), fresh('r')];
    const names = [
      { session, stream: part },
      { session, stream: `${part}-1` },
      { session: `${session}-${part}`, stream: '1' },
      { session: fresh('session'), stream: part },
      { session: session.toUpperCase(), stream: part },
      { session, stream: part.toUpperCase() },
    ];
    for (const [index, each] of names.entries()) {
      equal(await other.streams.read(each, 0, ALL), undefined);
      equal(await stores.streams.open(each, `owner ${index}`), true);
      equal(await stores.streams.append(each, 0, [`event ${index}`]), true);
    }
    for (const [index, each] of names.entries()) {
      const part = await other.streams.read(each, 0, ALL);
      deepEqual([part?.owner, said(part)], [`owner ${index}`, [`event ${index}`]]);
      await stores.streams.forget(each);
      equal(await other.streams.read(each, 0, ALL), undefined);
    }
  },
  'reads no more than it is asked for, to be gone on with': async (stores) => {
    const stream = await opened(stores, 'one', 'two', 'three');
    await stores.streams.end(stream, 'four');
    const first = await stores.streams.read(stream, 0, 2);
    deepEqual([said(first), first?.last, first?.isOver], [['one', 'two'], 2, false]);
    const second = await stores.streams.read(stream, 2, 2);
    deepEqual([said(second), second?.last, second?.isOver, second?.hasGap], [['three', 'four'], 4, true, false]);
  },
  'has no stream that was never opened, and no place that was never reached': async (stores) => {
    const { streams } = stores;
    equal(await streams.read(name(), 0, ALL), undefined);
    equal(await streams.append(name(), 0, ['one']), false);
    equal(await streams.end(name()), false);
    equal(await streams.read(await opened(stores, 'one'), 2, ALL), undefined);
  },
  'belongs to the owner that opened it first': async (stores, other) => {
    const stream = await opened(stores, 'one');
    equal(await other.streams.open(stream, 'b'), false);
    equal(await stores.streams.open(stream, 'a'), true);
    deepEqual([(await stores.streams.read(stream, 0, ALL))?.owner], ['a']);
  },
  'ends once, also if several end it, and takes no events after that': async (stores, other) => {
    const stream = await opened(stores, 'one');
    const { streams } = stores;
    const ends = await atOnce([other, stores, other], (each) => each.streams.end(stream, 'x'));
    deepEqual(ends.sort(), [false, false, true]);
    equal(await streams.append(stream, 1, ['late']), false);
    equal(await streams.append(stream, 2, ['late']), false);
    equal(await streams.open(stream, 'a'), false);
    equal(await other.streams.append(stream, 2, [], true), false);
    const part = await streams.read(stream, 0, ALL);
    deepEqual([said(part), part?.isOver, part?.last], [['one', 'x'], true, 2]);
    equal((await streams.read(stream, 2, ALL))?.isOver, true);
  },
  'ends without a last message, too': async (stores) => {
    const stream = await opened(stores, 'one');
    equal(await stores.streams.end(stream), true);
    const part = await stores.streams.read(stream, 1, ALL);
    deepEqual([said(part), part?.isOver, part?.last], [[], true, 2]);
  },
  'keeps the last events, and says where some are missing': async (stores) => {
    const stream = await opened(stores);
    const words = Array.from({ length: 500 }, (_, index) => `${index + 1}`);
    for (let after = 0; after < words.length; after += 5)
      await stores.streams.append(stream, after, words.slice(after, after + 5));
    const part = await stores.streams.read(stream, 1, 1000);
    const kept = said(part) ?? [];
    deepEqual(kept, words.slice(-kept.length));
    deepEqual([kept.length >= LIMITS.events, kept.length < 400, part?.hasGap], [true, true, true]);
    equal((await stores.streams.read(stream, 500 - kept.length, 1000))?.hasGap, false);
  },
  'is forgotten when it was neither written to nor opened for long, and not before': (stores) =>
    timed(async () => {
      const { streams } = stores;
      const [written, wanted] = [await opened(stores), await opened(stores, 'one')];
      const [known, idle] = [await opened(stores, 'one'), await opened(stores)];
      const words: string[] = [];
      while ((await streams.read(idle, 0, ALL)) !== undefined) {
        const isWritten = await streams.append(written, words.length, ['on']);
        words.push('on');
        if (!isWritten || !(await streams.append(known, 0, ['one']))) return false;
        equal(await streams.open(wanted, 'a'), true);
        await pause(LIMITS.keepFor / 5);
      }
      equal(await streams.append(idle, 0, ['late']), false);
      const found = [said(await streams.read(wanted, 0, ALL)), said(await streams.read(written, 0, ALL))];
      if (!found.every((events) => events && events.length > 0)) return false;
      deepEqual(found, [['one'], words]);
      return true;
    }),
  'wakes who follows it, until they have enough': async (stores, other) => {
    const [stream, elsewhere] = [await opened(stores), await opened(stores)];
    let last = 0;
    let isOver = false;
    const heard: string[] = [];
    let reading = Promise.resolve();
    const read = async (): Promise<void> => {
      const part = await other.streams.read(stream, last, ALL);
      last = part?.last ?? last;
      isOver = part?.isOver ?? false;
      heard.push(...(said(part) ?? []));
    };
    const stop = await other.streams.follow(stream, () => {
      reading = reading.then(read);
    });
    await stores.streams.append(stream, 0, ['one']);
    await stores.streams.append(elsewhere, 0, ['elsewhere']);
    await stores.streams.append(stream, 1, ['two']);
    await until(() => heard.length === 2);
    await stores.streams.end(stream, 'three');
    await until(() => isOver);
    await reading;
    deepEqual([heard, isOver], [['one', 'two', 'three'], true]);
    stop();
    const wakes = { left: 0, stayed: 0 };
    (await other.streams.follow(elsewhere, () => void wakes.left++))();
    const leave = await other.streams.follow(elsewhere, () => void wakes.stayed++);
    await stores.streams.append(elsewhere, 1, ['elsewhere']);
    await until(() => wakes.stayed > 0);
    equal(wakes.left, 0);
    leave();
  },
  'is forgotten at once when it is said so': async (stores, other) => {
    const stream = await opened(stores, 'one');
    await stores.streams.forget(stream);
    equal(await other.streams.read(stream, 0, ALL), undefined);
    equal(await stores.streams.append(stream, 1, ['late']), false);
  },
};
