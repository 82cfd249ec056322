/** The contract of a store of sessions. */
import { deepEqual, equal } from 'node:assert/strict';
import { atOnce, type Contract, fresh, isOver, LONG, LONG_TEXT, openInTurn, pause, timed, until } from './suite';

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
    timed(async (ms) => {
      const [used, idle] = [fresh('session'), fresh('session')];
      await stores.sessions.open(used, 'used', ms);
      await stores.sessions.open(idle, 'idle', ms);
      for (let isLast = false; !isLast; await pause(ms / 10)) {
        isLast = await isOver(stores, idle);
        const record = await other.sessions.use(used, ms);
        if (record === undefined) return false;
        equal(record, 'used');
      }
      equal(await stores.sessions.use(idle, ms), undefined);
      await until(() => isOver(stores, used));
      equal(await stores.sessions.use(used, ms), undefined);
      return true;
    }),
  'takes the idle time of each use': (stores, other) =>
    timed(async (ms) => {
      const [prolonged, shortened] = [fresh('session'), fresh('session')];
      await stores.sessions.open(prolonged, 'one', ms);
      await stores.sessions.open(shortened, 'one', LONG);
      if ((await other.sessions.use(prolonged, LONG)) === undefined) return false;
      equal(await other.sessions.use(shortened, ms), 'one');
      await until(() => isOver(stores, shortened));
      equal(await stores.sessions.use(shortened, LONG), undefined);
      equal(await stores.sessions.use(prolonged, LONG), 'one');
      return true;
    }),
  'replaces a record that was read, and lets its idle time go on': (stores, other) =>
    timed(async (ms) => {
      const [id, later] = await openInTurn(stores, ms);
      const outcome = await other.sessions.replace(id, 'one', 'two');
      if (outcome === 'over') return false;
      equal(outcome, 'replaced');
      // It would be over after the other one if its time had begun again.
      await until(() => isOver(stores, later));
      equal(await stores.sessions.replace(id, 'two', 'three'), 'over');
      equal(await stores.sessions.use(id, ms), undefined);
      return true;
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
