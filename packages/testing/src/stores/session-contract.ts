/** The contract of a store of sessions. */
import { deepEqual, equal } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { atOnce, fresh, type Contract } from './suite';

/** Milliseconds that no test takes. */
const LONG = 60_000;

/** What a store of sessions must do. */
export const SESSION_CONTRACT: Contract = {
  'has a session as it was written, whatever is in it': async (stores, other) => {
    const id = fresh('session');
    const record = JSON.stringify({ words: 'à la carte\n\u0000 "日本語" 🎈' });
    await stores.sessions.open(id, record, LONG);
    equal(await stores.sessions.use(id, LONG), record);
    equal(await other.sessions.use(id, LONG), record);
  },
  'has none that was never opened': async (stores) => {
    equal(await stores.sessions.use(fresh('session'), LONG), undefined);
    equal(await stores.sessions.end(fresh('session')), false);
    equal(await stores.sessions.replace(fresh('session'), 'a', 'b'), 'over');
  },
  'forgets one that is not used for its idle time, and each use begins it anew': async (stores, other) => {
    const [used, idle] = [fresh('session'), fresh('session')];
    await stores.sessions.open(used, 'used', 400);
    await stores.sessions.open(idle, 'idle', 400);
    for (let turn = 0; turn < 4; turn++) {
      await sleep(150);
      equal(await other.sessions.use(used, 400), 'used');
    }
    equal(await stores.sessions.use(idle, 400), undefined);
    await sleep(500);
    equal(await stores.sessions.use(used, 400), undefined);
  },
  'replaces a record that was read, and lets its idle time go on': async (stores, other) => {
    const id = fresh('session');
    await stores.sessions.open(id, 'one', 300);
    await sleep(200);
    equal(await other.sessions.replace(id, 'one', 'two'), 'replaced');
    equal(await stores.sessions.replace(id, 'one', 'three'), 'changed');
    await sleep(200);
    equal(await stores.sessions.replace(id, 'two', 'three'), 'over');
    equal(await stores.sessions.use(id, 300), undefined);
  },
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
