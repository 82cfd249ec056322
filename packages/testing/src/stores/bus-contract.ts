/** The contract of a bus between instances: delivery to its listeners. Changes after a position have a contract of their own. */
import { deepEqual, equal } from 'node:assert/strict';
import type { MaybePromise } from '@sigil-mcp/core/stores';
import { ListeningInstance } from './position-contract';
import { atOnce, LONG_TEXT, until, type Contract } from './suite';

/** Many words that are said at once, and no more than a flood. */
const numbered = (word: string, flood: number): string[] =>
  Array.from({ length: Math.min(200, flood) }, (_, index) => `${word} ${index} 🎈`);

/** What a bus must do. */
export const BUS_CONTRACT: Contract = {
  'tells all who have joined of each change, once and in one order': async (stores, other, flood) => {
    await stores.bus.announce('before');
    const [a, b] = [await ListeningInstance.join(stores), await ListeningInstance.join(other)];
    const changes = numbered('change', flood);
    await atOnce(changes, (change) => stores.bus.announce(change));
    await until(() => a.changes.length >= changes.length && b.changes.length >= changes.length);
    deepEqual([a.changes, b.changes, a.misses, b.misses], [changes, changes, 0, 0]);
    await atOnce([a, b], (each) => each.leave());
  },
  'has one order for all changes, also for those that a listener announces': async (stores, other) => {
    const [a, b] = [await ListeningInstance.join(stores), await ListeningInstance.join(other)];
    const answers: MaybePromise<void>[] = [];
    a.heard = (text) => {
      if (text === 'one') answers.push(stores.bus.announce('two'));
    };
    await stores.bus.announce('one');
    await until(() => a.changes.length >= 2 && b.changes.length >= 2);
    await atOnce(answers, (answer) => answer);
    deepEqual(
      [a.changes, b.changes],
      [
        ['one', 'two'],
        ['one', 'two'],
      ],
    );
    await atOnce([a, b], (each) => each.leave());
  },
  'brings messages to the one that they are for, once and in their order': async (stores, other, flood) => {
    const [a, b] = [await ListeningInstance.join(stores), await ListeningInstance.join(stores)];
    const messages = numbered('message', flood);
    const sent = await atOnce(messages, (message) => other.bus.send(a.id, message));
    await until(() => a.messages.length >= messages.length);
    deepEqual([a.messages, b.messages, [...new Set(sent)]], [messages, [], [true]]);
    await atOnce([a, b], (each) => each.leave());
  },
  'brings messages for all to everybody who has joined, once and in their order': async (stores, other, flood) => {
    await stores.bus.broadcast('before');
    const everybody = [
      await ListeningInstance.join(stores),
      await ListeningInstance.join(stores),
      await ListeningInstance.join(other),
    ];
    const messages = numbered('message', flood);
    await atOnce(messages, (message) => stores.bus.broadcast(message));
    await until(() => everybody.every((each) => each.messages.length >= messages.length));
    for (const each of everybody) deepEqual([each.messages, each.changes, each.misses], [messages, [], 0]);
    await atOnce(everybody, (each) => each.leave());
  },
  'brings what is said several times as often, and what is long as a whole': async (stores, other) => {
    const [a, b] = [await ListeningInstance.join(stores), await ListeningInstance.join(other)];
    const words = ['same', 'same', 'same', LONG_TEXT, 'last'];
    for (const word of words) {
      await stores.bus.announce(word);
      equal(await stores.bus.send(b.id, word), true);
    }
    await until(() => b.messages.length >= words.length && [a, b].every((each) => each.changes.length >= words.length));
    for (const word of words) await other.bus.broadcast(word);
    await until(() => a.messages.length >= words.length && b.messages.length >= words.length * 2);
    // Texts this long make no readable failure, so the test prints only whether they are equal.
    const areAll = (heard: readonly string[], ...said: readonly string[]): boolean =>
      heard.length === said.length && heard.every((text, index) => text === said[index]);
    deepEqual(
      [areAll(a.changes, ...words), areAll(b.changes, ...words), areAll(b.messages, ...words, ...words)],
      [true, true, true],
    );
    equal(areAll(a.messages, ...words), true);
    await atOnce([a, b], (each) => each.leave());
  },
  'knows who is alive, and takes no message for others': async (stores, other) => {
    const a = await ListeningInstance.join(stores);
    deepEqual([await other.bus.isAlive(a.id), await stores.bus.isAlive('nobody')], [true, false]);
    equal(await stores.bus.send('nobody', 'lost'), false);
    equal(await other.bus.isAlive(a.id.toUpperCase()), false);
    equal(await other.bus.send(a.id.toUpperCase(), 'lost'), false);
    await a.leave();
    equal(await stores.bus.isAlive(a.id), false);
    equal(await other.bus.send(a.id, 'late'), false);
    const b = await ListeningInstance.join(stores);
    await stores.bus.announce('late');
    await stores.bus.broadcast('late');
    await until(() => b.changes.length > 0 && b.messages.length > 0);
    deepEqual([a.messages, a.changes, b.messages, b.changes], [[], [], ['late'], ['late']]);
    await b.leave();
  },
  'replaces a shared text in one step, and returns the one before': async (stores, other, flood) => {
    equal(await stores.bus.swap('empty', 'first'), undefined);
    equal(await other.bus.swap('empty', LONG_TEXT), 'first');
    equal((await stores.bus.swap('empty', 'third')) === LONG_TEXT, true);
    const words = numbered('word', flood);
    const before = await atOnce(words, (word) => other.bus.swap('together', word));
    const last = await stores.bus.swap('together', 'last');
    // Each text is returned once: none is lost, none is returned twice.
    deepEqual([...before, last].sort(), [...words, undefined].sort());
  },
  'goes on for instances that have joined when another one closes the stores that they share, and opens again': async (
    stores,
    other,
  ) => {
    const [a, b] = [await ListeningInstance.join(stores), await ListeningInstance.join(stores)];
    await b.leave();
    await stores.close();
    await stores.close();
    const c = await ListeningInstance.join(stores);
    await other.bus.announce('change');
    await other.bus.broadcast('message');
    await until(() => [a, c].every(({ changes, messages }) => changes.length > 0 && messages.length > 0));
    for (const { changes, messages } of [a, c]) deepEqual([changes, messages], [['change'], ['message']]);
    await atOnce([a, c], (each) => each.leave());
    const d = await ListeningInstance.join(stores);
    await other.bus.announce('again');
    await until(() => d.changes.length > 0);
    deepEqual(d.changes, ['again']);
    await d.leave();
  },
};
