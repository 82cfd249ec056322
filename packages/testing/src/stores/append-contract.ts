/** The contract of a store of streams: events that its owner adds, and adds again if it does not know whether they were stored. */
import { deepEqual, equal } from 'node:assert/strict';
import type { Stores, StreamEvent, StreamName } from '@sigil-mcp/core/stores';
import { atOnce, fresh, LIMITS, type Contract } from './suite';

/** More events than there are in these tests. */
const ALL = 10_000;

/** Begins a stream. */
async function opened({ streams }: Stores): Promise<StreamName> {
  const name = { session: fresh('session'), stream: fresh('r') };
  equal(await streams.open(name, 'a'), true);
  return name;
}

/** The content of a stream: each place with its event, the last place, whether it has ended, whether events are missing. */
async function read({ streams }: Stores, name: StreamName): Promise<unknown> {
  const part = await streams.read(name, 0, ALL);
  return part && [part.events, part.last, part.isOver, part.hasGap];
}

/** Events from a place on. */
const from = (place: number, ...words: string[]): StreamEvent[] =>
  words.map((data, index) => ({ place: place + index, data }));

/** What a store of streams must do for their owners. */
export const APPEND_CONTRACT: Contract = {
  'adds what is said again only where it does not stand yet': async (stores, other) => {
    const stream = await opened(stores);
    const append = (after: number, ...events: string[]) => stores.streams.append(stream, after, events);
    equal(await append(0, 'one', 'two'), true);
    equal(await append(0, 'one', 'two'), true);
    deepEqual(await read(other, stream), [from(1, 'one', 'two'), 2, false, false]);
    equal(await append(0, 'one', 'two', 'three'), true);
    equal(await append(1, 'two', 'three', 'four', 'five'), true);
    equal(await append(2, 'three'), true);
    equal(await append(5), true);
    deepEqual(await read(other, stream), [from(1, 'one', 'two', 'three', 'four', 'five'), 5, false, false]);
  },
  'adds once what is said several times at once': async (stores, other) => {
    const stream = await opened(stores);
    const tries = await atOnce([stores, other, stores, other], (each) =>
      each.streams.append(stream, 0, ['one', 'two']),
    );
    deepEqual(tries, [true, true, true, true]);
    deepEqual(await read(stores, stream), [from(1, 'one', 'two'), 2, false, false]);
  },
  'ends with the last of some events, and knows that it has when they are said again': async (stores, other) => {
    const stream = await opened(stores);
    equal(await stores.streams.append(stream, 0, ['one', 'two'], true), true);
    equal(await stores.streams.append(stream, 0, ['one', 'two'], true), false);
    equal(await stores.streams.append(stream, 2, ['three']), false);
    equal(await other.streams.end(stream, 'gone'), false);
    deepEqual(await read(other, stream), [from(1, 'one', 'two'), 2, true, false]);
  },
  'ends without an event, also where all of them stand there already': async (stores, other) => {
    const [silent, known, part] = [await opened(stores), await opened(stores), await opened(stores)];
    equal(await stores.streams.append(silent, 0, [], true), true);
    deepEqual(await read(other, silent), [[], 1, true, false]);
    equal(await stores.streams.append(known, 0, ['one', 'two']), true);
    equal(await stores.streams.append(known, 0, ['one', 'two'], true), true);
    deepEqual(await read(other, known), [from(1, 'one', 'two'), 3, true, false]);
    equal(await stores.streams.append(part, 0, ['one']), true);
    equal(await stores.streams.append(part, 0, ['one', 'two'], true), true);
    deepEqual(await read(other, part), [from(1, 'one', 'two'), 2, true, false]);
  },
  'adds nothing after the end that another instance has set': async (stores, other) => {
    const stream = await opened(stores);
    equal(await stores.streams.append(stream, 0, ['one']), true);
    const outcomes = await atOnce([true, false], (isOwner) =>
      isOwner ? stores.streams.append(stream, 1, ['two'], true) : other.streams.end(stream, 'gone'),
    );
    const [isOwners] = outcomes;
    deepEqual(outcomes.sort(), [false, true]);
    deepEqual(await read(stores, stream), [from(1, 'one', isOwners ? 'two' : 'gone'), 2, true, false]);
    equal(await stores.streams.append(stream, 2, ['three']), false);
    equal(await stores.streams.append(stream, 2, []), false);
    deepEqual(await read(other, stream), [from(1, 'one', isOwners ? 'two' : 'gone'), 2, true, false]);
  },
  'takes many events at once, and goes on where it has forgotten what its owner knows': async (stores, other) => {
    const stream = await opened(stores);
    const words = Array.from({ length: 1050 }, (_, index) => `event ${index + 1}`);
    for (let tries = 0; tries < 2; tries++) {
      equal(await stores.streams.append(stream, 0, words), true);
      equal((await other.streams.read(stream, 0, ALL))?.last, 1050);
    }
    equal(await stores.streams.append(stream, 1000, words.slice(1000)), true);
    const kept = (await other.streams.read(stream, 0, ALL))?.events ?? [];
    deepEqual(kept, from(1051 - kept.length, ...words.slice(-kept.length)));
    equal(kept.length >= LIMITS.events && kept.length < 900, true, `${kept.length} events`);
    equal(await stores.streams.append(stream, 1050, ['last'], true), true);
    const part = await other.streams.read(stream, 1050, ALL);
    deepEqual([part?.events, part?.last, part?.isOver, part?.hasGap], [from(1051, 'last'), 1051, true, false]);
  },
  'leaves a gap, and gives no event the place of another, where it has lost what its owner knows': async (
    stores,
    other,
  ) => {
    const stream = await opened(stores);
    equal(await stores.streams.append(stream, 7, []), true);
    equal(await stores.streams.append(stream, 7, ['eight']), true);
    deepEqual(await read(other, stream), [from(8, 'eight'), 8, false, true]);
    equal(await stores.streams.append(stream, 7, ['eight', 'nine'], true), true);
    deepEqual(await read(other, stream), [from(8, 'eight', 'nine'), 9, true, true]);
    const another = await opened(stores);
    equal(await stores.streams.append(another, 1, ['two', 'three', 'four']), true);
    deepEqual(await read(other, another), [from(2, 'two', 'three', 'four'), 4, false, true]);
  },
};
