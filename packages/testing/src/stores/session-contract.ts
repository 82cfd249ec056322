/** The contract of a store of sessions. */
import { deepEqual, equal } from 'node:assert/strict';
import { atOnce, fresh, inTime, LONG_TEXT, type Contract } from './suite';

/** Milliseconds, longer than any test takes. */
const LONG = 60_000;

/** What a store of sessions must do. */
export const SESSION_CONTRACT: Contract = {
  'has a session as it was written, with any text in it': async (stores, other) => {
    const id = fresh('session');
    const record = JSON.stringify({ words: 'à la carte\n\u0000 "日本語" 🎈' });
    await stores.sessions.open(id, record, LONG);
    equal(await stores.sessions.use(id, LONG), record);
    equal(await other.sessions.use(id, LONG), record);
  },
  'has a session however long its record is, and no other under an id that differs in case alone': async (
    stores,
    other,
  ) => {
    const id = fresh('session');
    const [small, large] = [`${id}-abc`, `${id}-ABC`];
    await stores.sessions.open(small, ' small ', LONG);
    equal(await other.sessions.use(large, LONG), undefined);
    equal(await other.sessions.end(large), false);
    await stores.sessions.open(large, LONG_TEXT, LONG);
    equal(await other.sessions.use(small, LONG), ' small ');
    equal((await other.sessions.use(large, LONG)) === LONG_TEXT, true);
    equal(await other.sessions.replace(small, ' SMALL ', 'x'), 'changed');
    equal(await other.sessions.replace(small, ' small', 'x'), 'changed');
    equal(await other.sessions.replace(small, ' small ', LONG_TEXT), 'replaced');
    equal((await stores.sessions.use(small, LONG)) === LONG_TEXT, true);
  },
  'has what any instance has written last, also if another has read it before': async (stores, other) => {
    const id = fresh('session');
    await stores.sessions.open(id, 'one', LONG);
    for (const each of [stores, other]) equal(await each.sessions.use(id, LONG), 'one');
    equal(await other.sessions.replace(id, 'one', 'two'), 'replaced');
    for (const each of [stores, other]) equal(await each.sessions.use(id, LONG), 'two');
    equal(await stores.sessions.end(id), true);
    for (const each of [other, stores]) equal(await each.sessions.use(id, LONG), undefined);
  },
  'has none that was never opened': async (stores) => {
    equal(await stores.sessions.use(fresh('session'), LONG), undefined);
    equal(await stores.sessions.end(fresh('session')), false);
    equal(await stores.sessions.replace(fresh('session'), 'a', 'b'), 'over');
  },
  'forgets one that is not used for its idle time, and each use starts that time again': (stores, other) =>
    inTime(80, async (wait) => {
      const [used, idle] = [fresh('session'), fresh('session')];
      await stores.sessions.open(used, 'used', 400);
      await stores.sessions.open(idle, 'idle', 400);
      for (let turn = 0; turn < 4; turn++) {
        await wait(150);
        equal(await other.sessions.use(used, 400), 'used');
      }
      equal(await stores.sessions.use(idle, 400), undefined);
      await wait(500);
      equal(await stores.sessions.use(used, 400), undefined);
    }),
  'takes the idle time of each use': (stores, other) =>
    inTime(80, async (wait) => {
      const [shortened, prolonged] = [fresh('session'), fresh('session')];
      await stores.sessions.open(shortened, 'one', LONG);
      await stores.sessions.open(prolonged, 'one', 200);
      equal(await other.sessions.use(shortened, 200), 'one');
      equal(await other.sessions.use(prolonged, LONG), 'one');
      await wait(300);
      equal(await stores.sessions.use(shortened, LONG), undefined);
      equal(await stores.sessions.use(prolonged, LONG), 'one');
    }),
  'replaces a record that was read, and lets its idle time go on': (stores, other) =>
    inTime(80, async (wait) => {
      const id = fresh('session');
      await stores.sessions.open(id, 'one', 300);
      await wait(200);
      equal(await other.sessions.replace(id, 'one', 'two'), 'replaced');
      equal(await stores.sessions.replace(id, 'one', 'three'), 'changed');
      await wait(200);
      equal(await stores.sessions.replace(id, 'two', 'three'), 'over');
      equal(await stores.sessions.use(id, 300), undefined);
    }),
  'replaces no record that is another by now, so that nothing is lost of what two change at once': async (
    stores,
    other,
  ) => {
    const id = fresh('session');
    await stores.sessions.open(id, 'one', LONG);
    const outcomes = await atOnce([stores, other, stores], (each, index) =>
      each.sessions.replace(id, 'one', `next ${index}`),
    );
    deepEqual(outcomes.sort(), ['changed', 'changed', 'replaced']);
  },
  'ends a session once, for all': async (stores, other) => {
    const id = fresh('session');
    await stores.sessions.open(id, 'one', LONG);
    const ends = await atOnce([stores, other, stores], (each) => each.sessions.end(id));
    deepEqual(ends.sort(), [false, false, true]);
    equal(await stores.sessions.use(id, LONG), undefined);
    equal(await other.sessions.use(id, LONG), undefined);
    equal(await stores.sessions.replace(id, 'one', 'two'), 'over');
  },
};
