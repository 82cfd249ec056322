/** Instances whose clocks are wrong: tasks go by the time of the store alone. */
import type { Clock } from '@sigil-mcp/core';
import { systemClock } from '@sigil-mcp/core/adapter';
import type { TaskStore } from '@sigil-mcp/tasks';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { sqliteTasks } from '@sigil-mcp/tasks/sqlite';
import { ManualClock } from '@sigil-mcp/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENTS, type OpenClient } from '../../support/supplies/redis-clients';
import { RedisServer } from '../../support/supplies/redis-server';
import { openBetterSqlite } from '../../support/supplies/sqlite';
import { describeWith } from '../../support/supplies/supply';
import { until } from '../../support/until';
import { NightShift, wrongDate, type NightInstance } from './night-shift';
import { SharedStore } from './shared-store';
import { get, reach, start, textOf, type Task } from './task-client';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** By how much the clocks of three instances are wrong, in milliseconds. */
const OFFSETS = [
  [0, 40_000, -40_000],
  [0, HOUR, -HOUR],
  [2 * DAY, -2 * DAY, 0],
];

const shift = new NightShift();
afterEach(() => shift.close());

/** A store that tells a time, as Redis does. */
class TimedStore extends SharedStore {
  constructor(private readonly clock: Clock) {
    super();
  }

  now(): number {
    return this.clock.now();
  }
}

interface MadeTask extends Task {
  readonly createdAt: string;
}

/** Makes a task of each kind at each instance. */
async function makeTasks(instances: readonly NightInstance[]): Promise<MadeTask[]> {
  const made: MadeTask[] = [];
  for (const [index, instance] of instances.entries())
    for (const tool of ['bake', 'again'])
      made.push((await start(await instance.meet('ada'), tool, { name: `${tool}${index}` })) as MadeTask);
  return made;
}

/** Lets all tasks end, and looks at what became of each, at another instance. */
async function endAll(instances: readonly NightInstance[], made: readonly Task[]): Promise<void> {
  const names = instances.flatMap((_, index) => [`bake${index}`, `again${index}`]);
  expect([...shift.began].sort()).toEqual([...names].sort());
  for (const name of names) shift.letGo(name);
  for (const [index, task] of made.entries()) {
    const client = await (instances[index % 2] as NightInstance).meet('ada');
    expect(textOf(await reach(client, task, 'completed'))).toBe(`baked ${names[index]}`);
  }
}

it.each(OFFSETS)(
  'no task fails, runs twice or ends early where clocks are wrong by %i, %i and %i ms',
  async (...offsets) => {
    const time = new ManualClock();
    const store = new TimedStore(time);
    const instances: NightInstance[] = [];
    for (const offset of offsets)
      instances.push(await shift.instance({ store, ttl: 60_000 }, { clock: wrongDate(time, () => offset) }));
    const made = await makeTasks(instances);
    for (const { createdAt } of made) expect(Date.parse(createdAt)).toBe(time.now());
    await time.advance(50_000);
    await endAll(instances, made);
  },
);

it('no task fails, runs twice or ends early while the clock of an instance jumps, forward and back', async () => {
  const time = new ManualClock();
  const store = new TimedStore(time);
  let ahead = 0;
  const instances = [
    await shift.instance({ store, ttl: 600_000 }, { clock: wrongDate(time, () => ahead) }),
    await shift.instance({ store, ttl: 600_000 }, { clock: time }),
  ];
  const made = await makeTasks(instances);
  for (const jump of [HOUR, -2 * HOUR, 2 * DAY, -4 * DAY, 40_000]) {
    ahead += jump;
    await time.advance(12_000);
  }
  await endAll(instances, made);
});

it('a clock that is set does not end the tasks of a server without a store, and does not let them live longer', async () => {
  const clock = new ManualClock();
  const one = await shift.instance({ ttl: 60_000 }, { clock });
  const client = await one.meet('ada');
  const task = await start(client, 'bake', { name: 'rye' });
  for (const jump of [2 * DAY, -4 * DAY]) {
    clock.setDate(clock.now() + jump);
    await clock.advance(10_000);
    expect(await get(client, task)).toMatchObject({ status: 'working' });
  }
  await clock.advance(41_000);
  expect(await get(client, task)).toMatchObject({ status: 'failed' });
});

it.each([
  [1900, undefined],
  [-1900, undefined],
  [2100, 2100],
  [-2100, -2100],
])('a start with a clock that is %i ms ahead of the store warns of %p ms', async (offset, warned) => {
  const time = new ManualClock();
  const warnings: unknown[] = [];
  const logger = {
    debug() {},
    info() {},
    error() {},
    warn: (fields: object, said: string) => said.includes('The clock of this machine') && warnings.push(fields),
  };
  await shift.instance({ store: new TimedStore(time) }, { clock: wrongDate(time, () => offset), logger });
  expect(warnings).toEqual(warned === undefined ? [] : [{ milliseconds: warned }]);
});

/** The same over a store that has its time from somewhere else: three instances look twice at least while the tasks run. */
async function showOver(stores: readonly TaskStore[]): Promise<void> {
  const offsets = [0, 2 * DAY, -2 * DAY];
  const looks = new Map<TaskStore, number>();
  const instances: NightInstance[] = [];
  for (const [index, store] of stores.entries()) {
    const due = store.due.bind(store);
    store.due = (...words) => {
      looks.set(store, (looks.get(store) ?? 0) + 1);
      return due(...words);
    };
    const clock = wrongDate(systemClock, () => offsets[index] ?? 0);
    instances.push(await shift.instance({ store, ttl: HOUR }, { clock }));
  }
  const made = await makeTasks(instances);
  await until(() => shift.began.length === made.length);
  // Clocks differ by days, and what they were created at does not.
  const created = made.map(({ createdAt }) => Date.parse(createdAt));
  expect(Math.max(...created) - Math.min(...created)).toBeLessThan(HOUR);
  looks.clear();
  await until(() => stores.every((store) => (looks.get(store) ?? 0) >= 2));
  await endAll(instances, made);
}

describeWith('redis-server', 'instances with wrong clocks that share a Redis', () => {
  it('have the time of Redis', async () => {
    const server = await RedisServer.start();
    const open = CLIENTS['node-redis'] as (of: RedisServer) => Promise<OpenClient>;
    const clients = [await open(server), await open(server), await open(server)];
    try {
      await showOver(clients.map(({ client }) => redisTasks(client, { commandTimeout: 20_000 })));
    } finally {
      await shift.close();
      clients.forEach((client) => client.close());
      await server.stop();
    }
  });
});

describeWith('sqlite', 'processes with wrong clocks that share a file', () => {
  it('have the time of the machine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sigil-clocks-'));
    try {
      const file = join(folder, 'tasks.db');
      await showOver([1, 2, 3].map(() => sqliteTasks(openBetterSqlite(file))));
    } finally {
      await shift.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
