/** The contract of a store that knows which instances work for a session. A store without `workers` has nothing to show. */
import { deepEqual, equal } from 'node:assert/strict';
import type { SessionWorkers, Stores } from '@sigil-mcp/core/stores';
import { atOnce, type Contract, fresh, isOver, LONG, LONG_TEXT, openInTurn, SHORT, timed, until } from './suite';

type WorkerTest = (workers: SessionWorkers, other: SessionWorkers, stores: Stores) => Promise<void>;

/** Shows a sentence for stores that know the workers. */
function known(show: WorkerTest): Contract[string] {
  return async (stores, other) => {
    const [one, two] = [stores.sessions.workers, other.sessions.workers];
    if (one && two) await show(one, two, stores);
  };
}

/** Opens a session, and returns its id. */
async function open({ sessions }: Stores, record = 'one'): Promise<string> {
  const id = fresh('session');
  await sessions.open(id, record, LONG);
  return id;
}

/** What a store that knows the workers of sessions must do. */
export const WORKER_CONTRACT: Contract = {
  'knows the instances that work for a session, each once, until they leave': known(async (one, other, stores) => {
    const [id, another] = [await open(stores), await open(stores)];
    deepEqual(await one.of(id), []);
    await one.join(id, 'a', LONG);
    await other.join(id, 'b', LONG);
    await one.join(id, 'a', LONG);
    for (const each of [one, other]) deepEqual([...(await each.of(id))].sort(), ['a', 'b']);
    await one.leave(id, 'a');
    deepEqual(await other.of(id), ['b']);
    await one.join(id, 'a', LONG);
    deepEqual([...(await other.of(id))].sort(), ['a', 'b']);
    deepEqual(await other.of(another), []);
    await one.leave(another, 'a');
    deepEqual(await other.of(another), []);
  }),
  'gives an instance that joins the record of the session, and none of a session that has ended': known(
    async (one, other, stores) => {
      const id = await open(stores, LONG_TEXT);
      equal((await other.join(id, 'a', LONG)).record === LONG_TEXT, true);
      await stores.sessions.end(id);
      deepEqual(await one.join(id, 'b', LONG), { record: undefined, notes: [] });
      deepEqual(await other.of(id), ['a']);
      deepEqual(await one.join(fresh('session'), 'b', LONG), { record: undefined, notes: [] });
    },
  ),
  'forgets an instance that does not join again in its time': known(async (one, other, stores) => {
    const [id, again] = [await open(stores), await open(stores)];
    await one.join(again, 'a', SHORT);
    await one.join(id, 'a', SHORT);
    await one.join(again, 'a', LONG);
    await until(async () => (await other.of(id)).length === 0);
    deepEqual(await other.of(again), ['a']);
  }),
  'lets the idle time of a session go on': known((_, other, stores) =>
    timed(async (ms) => {
      const [id, later] = await openInTurn(stores, ms);
      if ((await other.join(id, 'a', LONG)).record === undefined) return false;
      // It would be over after the other one if its time had begun again.
      await until(() => isOver(stores, later));
      equal(await stores.sessions.use(id, LONG), undefined);
      return true;
    }),
  ),
  'gives a note to those that join later, and returns those that have joined before': known(
    async (one, other, stores) => {
      const id = await open(stores);
      deepEqual(await one.note(id, 'first', LONG), []);
      deepEqual((await other.join(id, 'a', LONG)).notes, ['first']);
      deepEqual(await one.note(id, '"日本語" 🎈', LONG), ['a']);
      deepEqual([...(await other.join(id, 'b', LONG)).notes].sort(), ['"日本語" 🎈', 'first']);
      deepEqual((await other.join(await open(stores), 'b', LONG)).notes, []);
    },
  ),
  'loses no note between two that write one and join at once': known(async (one, other, stores) => {
    const id = await open(stores);
    const [workers, state] = await Promise.all([one.note(id, 'note', LONG), other.join(id, 'a', LONG)]);
    equal(workers.includes('a') || state.notes.includes('note'), true);
    await atOnce([one, other, one], (each, index) => each.note(id, `many ${index}`, LONG));
    equal((await one.join(id, 'b', LONG)).notes.length, 4);
  }),
  'deletes a note after its time': known(async (one, other, stores) => {
    const id = await open(stores);
    await one.note(id, 'short', SHORT);
    await one.note(id, 'long', LONG);
    await until(async () => !(await other.join(id, 'a', LONG)).notes.includes('short'));
    deepEqual((await other.join(id, 'a', LONG)).notes, ['long']);
  }),
};
