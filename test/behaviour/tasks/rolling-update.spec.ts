/** Two versions of a server with one store of tasks, as while an update is rolled out. */
import { ManualClock } from '@sigil-mcp/testing';
import { until } from '../../support/until';
import { NightShift } from './night-shift';
import { CutStore, SharedStore } from './shared-store';
import { get, reach, start, textOf } from './task-client';

const shift = new NightShift();
afterEach(() => shift.close());

it('a task of a new tool is left alone by instances of the old version, and runs where the tool is', async () => {
  const [clock, store] = [new ManualClock(), new SharedStore()];
  const front = await shift.instance({ store, work: false }, { clock }, true);
  const old = await shift.instance({ store }, { clock });
  const task = await start(await front.meet('ada'), 'fresh', { name: 'rye' });
  await clock.advance(300_000);
  expect(await get(await old.meet('ada'), task)).toMatchObject({
    status: 'working',
    statusMessage: 'The task waits for its turn.',
  });
  await shift.instance({ store }, { clock }, true);
  await clock.advance(2000);
  expect(textOf(await reach(await old.meet('ada'), task, 'completed'))).toBe('baked rye');
  expect(shift.began).toEqual(['rye']);
});

it('a task whose worker is lost goes on in the version that has its tool', async () => {
  const [clock, store] = [new ManualClock(), new SharedStore()];
  const cut = new CutStore(store);
  const lost = await shift.instance({ store: cut }, { clock }, true);
  const task = await start(await lost.meet('ada'), 'again', { name: 'rye' });
  await until(() => shift.began.length === 1);
  cut.isCut = true;
  const other = await shift.instance({ store }, { clock });
  await clock.advance(40_000);
  await until(() => shift.began.length === 2);
  shift.letGo('rye');
  expect(textOf(await reach(await other.meet('ada'), task, 'completed'))).toBe('baked rye');
});

it('a task whose tool was removed runs again after the update is taken back', async () => {
  const [clock, store] = [new ManualClock(), new SharedStore()];
  const withTool = await shift.instance({ store }, { clock }, true);
  const without = await shift.instance({ store }, { clock });
  const client = await without.meet('ada');
  const front = await shift.instance({ store, work: false }, { clock }, true);
  await withTool.close();
  const task = await start(await front.meet('ada'), 'fresh', { name: 'rye' });
  await clock.advance(500_000);
  expect(await get(client, task)).toMatchObject({ status: 'working' });
  await shift.instance({ store }, { clock }, true);
  await clock.advance(2000);
  expect(textOf(await reach(client, task, 'completed'))).toBe('baked rye');
});

it('a task fails that no instance has had the tool for in ten minutes, and says so', async () => {
  const [clock, store] = [new ManualClock(), new SharedStore()];
  const front = await shift.instance({ store, work: false }, { clock }, true);
  const old = await shift.instance({ store }, { clock });
  const task = await start(await front.meet('ada'), 'fresh', { name: 'rye' });
  await clock.advance(599_000);
  const client = await old.meet('ada');
  expect(await get(client, task)).toMatchObject({ status: 'working' });
  await clock.advance(3000);
  expect(await get(client, task)).toMatchObject({
    status: 'failed',
    error: {
      code: -32603,
      message: 'No instance of the server that runs tasks has had the tool "fresh" for 10 minutes.',
    },
  });
});
