/**
 * Random events happen to tasks in every store, and to a model of them, one after another and two at a time. A failure prints the shortest
 * events, with the seed and the path that repeat it.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { bytesOf, MemoryTaskStore, type TaskStore } from '@sigil-mcp/tasks';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { sqliteTasks } from '@sigil-mcp/tasks/sqlite';
import { CLIENTS, type OpenClient } from '../../../../test/support/supplies/redis-clients';
import { RedisServer } from '../../../../test/support/supplies/redis-server';
import { openBetterSqlite } from '../../../../test/support/supplies/sqlite';
import { describeWith } from '../../../../test/support/supplies/supply';
import {
  claimOf,
  happen,
  isTerminal,
  LEASE,
  nextOf,
  WORKERS,
  type Event,
  type Model,
  type Worker,
  type WorkEvent,
} from './task-model';
import { TaskSystem, type Found } from './task-system';
import { runs } from '../../../../test/support/matrix';

const TASKS = [0, 1, 2, 3, 4];
const KEYS = ['a', 'b', 'c', 'd'];
const task = fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3, 4);
const worker = fc.constantFrom(...WORKERS);
const word = fc.constantFrom(...KEYS);

const work = (kinds: readonly WorkEvent['kind'][]): fc.Arbitrary<Event> =>
  fc.record({ kind: fc.constantFrom(...kinds), task, worker, age: fc.constantFrom('latest', 'latest', 'first'), word });
const create = fc.record({
  ...{ kind: fc.constant('create' as const), task },
  ...{ ttl: fc.constantFrom(null, 50_000, 600_000), retries: fc.nat(2) },
});
const attend = fc.record({ kind: fc.constant('attend' as const), task, worker });
const look = fc.record({ kind: fc.constant('look' as const), worker });
const answer = fc.record({
  ...{ kind: fc.constant('answer' as const), task, keys: fc.subarray(KEYS, { minLength: 1 }) },
  rights: fc.constantFrom('few' as const, 'few' as const, 'many' as const),
});
const cancel = fc.record({ kind: fc.constant('cancel' as const), task });
const get = fc.record({ kind: fc.constant('get' as const), task });
const passes = fc.constantFrom(1, 999, 1000, 1001, LEASE - 1, LEASE, 60_000, 300_000, 600_000);
const time = fc.record({ kind: fc.constant('time' as const), passes });

/** Of one task, and done in one step: two of them at the same time are done in one order or the other. */
const single = fc.oneof(
  { weight: 3, arbitrary: create },
  { weight: 6, arbitrary: attend },
  { weight: 8, arbitrary: work(['ask']) },
  { weight: 6, arbitrary: answer },
  { weight: 3, arbitrary: work(['resume']) },
  { weight: 4, arbitrary: work(['renew', 'keep', 'report']) },
  { weight: 2, arbitrary: work(['release', 'interrupt', 'complete', 'refuse']) },
  { weight: 1, arbitrary: cancel },
  { weight: 4, arbitrary: get },
);

/** What was true of a task once, and must stay true. */
interface History {
  status: string;
  readonly answered: Set<string>;
}

interface Run {
  readonly system: TaskSystem;
  readonly history: Map<number, History>;
}

/** Something happens to both, and both are the same afterwards. */
class Happens implements fc.AsyncCommand<Model, Run> {
  /** @param events one, or two at the same time */
  constructor(
    private readonly events: readonly Event[],
    private readonly by: Worker,
  ) {}

  /** A worker writes only to a task that it has, or had; a task that was removed does not come back. */
  check(model: Readonly<Model>): boolean {
    return this.events.every((event) => {
      if (event.kind === 'create') return event.task in model.tasks || !model.created.includes(event.task);
      return !('age' in event) || claimOf(model, event) !== undefined;
    });
  }

  async run(model: Model, { system, history }: Run): Promise<void> {
    const other = this.by === 'one' ? 'two' : 'one';
    const answers = await Promise.all(this.events.map((event, index) => system.happen(event, index ? other : this.by)));
    const found = await allOf(system, this.by);
    const orders = [this.events, [...this.events].reverse()].slice(0, this.events.length);
    const outcomes = orders.map((order) => outcomeOf(model, this.events, order));
    // Of two orders the one that explains what has happened; of none, the first one shows what is wrong.
    const fitting = outcomes.find((each) => JSON.stringify(each.expected) === JSON.stringify({ answers, ...found }));
    const chosen = fitting ?? outcomes[0];
    expect({ answers, ...found }).toEqual(chosen?.expected);
    Object.assign(model, chosen?.model);
    expect(await allOf(system, other)).toEqual(found);
    for (const index of TASKS) await checkRules(index, { system, history }, model);
  }

  toString(): string {
    return `${this.events.map((event) => JSON.stringify(event)).join(' and ')} by ${this.by}`;
  }
}

/** What the model makes of events in an order. */
function outcomeOf(before: Model, events: readonly Event[], order: readonly Event[]) {
  const model = structuredClone(before);
  // A worker writes with the claim that it had when the event began.
  const claim = (event: Event): number | undefined => ('age' in event ? claimOf(before, event) : undefined);
  const answers = new Map(order.map((event) => [event, happen(model, event, claim(event))]));
  const tasks = TASKS.map((index) => {
    const each = model.tasks[index];
    return {
      kept: each && {
        ...{ status: each.status, dueAt: Math.min(nextOf(each), Number.MAX_SAFE_INTEGER) },
        ...{ isEnded: isTerminal(each), retries: each.retries, holder: each.holder?.claim },
        ...{ answers: Object.keys(each.answered).sort(), steps: Object.keys(each.kept).sort() },
        message: isTerminal(each) ? undefined : each.message,
      },
    };
  });
  const unended = Object.values(model.tasks).filter((each) => !isTerminal(each)).length;
  return { model, expected: { answers: events.map((event) => answers.get(event)), tasks, unended } };
}

/** The same of the store, as a process finds it. */
async function allOf(system: TaskSystem, by: Worker): Promise<object> {
  const all = await Promise.all(TASKS.map((index) => system.find(index, by)));
  const bytes = all.reduce((sum, found) => sum + bytesOf(found?.stored.text ?? ''), 0);
  const [count, held] = (await system.count(by)) as { unended: number; bytes: number }[];
  expect([count?.bytes, held]).toEqual([bytes, count]);
  return {
    tasks: all.map((found) => ({ kept: found && keptOf(found) })),
    unended: count?.unended,
  };
}

function keptOf({ stored, state }: Found): object {
  const { status, retries, run, message, call } = state;
  const { answers, kept } = call.memory;
  for (const [key, { result }] of Object.entries(answers)) expect(result).toEqual({ key });
  return {
    ...{ status, dueAt: stored.dueAt, isEnded: stored.isEnded, retries, holder: run?.fence },
    ...{ answers: Object.keys(answers).sort(), steps: Object.keys(kept).sort() },
    message: stored.isEnded ? undefined : message,
  };
}

/** The rules of the specification that need no model. */
async function checkRules(index: number, { system, history }: Run, model: Model): Promise<void> {
  const found = await system.find(index, 'one');
  if (!found) return void history.delete(index);
  const { state } = found;
  const before = history.get(index) ?? { status: 'working', answered: new Set() };
  const isOver = before.status !== 'working' && before.status !== 'input_required';
  if (isOver) expect(state.status).toBe(before.status);
  expect(system.writersOf(index, state).length).toBeLessThanOrEqual(1);
  // A key that was answered is never asked again, and while the task goes on, its answer is there.
  for (const key of before.answered) expect(Object.keys(state.questions)).not.toContain(key);
  if (!found.stored.isEnded)
    expect(Object.keys(state.call.memory.answers)).toEqual(expect.arrayContaining([...before.answered]));
  expect(state.status === 'input_required').toBe(Object.keys(state.questions).length > 0);
  expect(state.updatedAt).toBeGreaterThanOrEqual(state.createdAt);
  expect(state.updatedAt).toBeLessThanOrEqual(model.now);
  for (const key of Object.keys(state.call.memory.answers)) before.answered.add(key);
  history.set(index, { status: state.status, answered: before.answered });
}

const one = (event: fc.Arbitrary<Event>) => fc.tuple(event, worker).map(([each, by]) => new Happens([each], by));
const events = [
  one(single),
  one(single),
  one(fc.oneof(time, look)),
  fc.tuple(single, single, worker).map(([first, second, by]) => new Happens([first, second], by)),
];

/** Where every run begins: a task that a worker has, so that most events mean something. */
const BEGIN: readonly Event[] = [
  { kind: 'create', task: 0, ttl: 600_000, retries: 1 },
  { kind: 'attend', task: 0, worker: 'one' },
];

async function compare(open: () => Promise<Readonly<Record<Worker, TaskStore>>>, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.commands(events, { maxCommands: 40, size: 'max' }), async (commands) => {
      const system = new TaskSystem(await open());
      try {
        const run = { system, history: new Map<number, History>() };
        const model: Model = { now: system.clock.now(), tasks: {}, claims: {}, created: [] };
        for (const event of BEGIN) await new Happens([event], 'one').run(model, run);
        await fc.asyncModelRun(() => ({ model, real: run }), commands);
      } finally {
        await system.close();
      }
    }),
    { numRuns: runs(numRuns) },
  );
}

const SENTENCE = 'do what the specification says, whatever happens in whatever order';

describe('tasks in memory', () => {
  it(
    SENTENCE,
    async () => {
      await compare(() => {
        const store = new MemoryTaskStore();
        return Promise.resolve({ one: store, two: store });
      }, 500);
    },
    // Twenty times as long as it takes alone.
    240_000,
  );
});

describeWith('redis-server', 'tasks in Redis', () => {
  let server: RedisServer;
  let clients: readonly OpenClient[] = [];
  beforeAll(async () => {
    server = await RedisServer.start();
    const open = CLIENTS['node-redis'] as (of: RedisServer) => Promise<OpenClient>;
    clients = [await open(server), await open(server)];
  });
  afterAll(async () => {
    clients.forEach((client) => client.close());
    await server.stop();
  });

  it(
    SENTENCE,
    async () => {
      await compare(async () => {
        const prefix = randomUUID();
        const [one, two] = clients.map(({ client }) => redisTasks(client, { prefix, commandTimeout: 20_000 }));
        for (const store of [one, two]) await store?.open?.('model');
        return { one: one as TaskStore, two: two as TaskStore };
      }, 200);
    },
    240_000,
  );
});

describeWith('sqlite', 'tasks in SQLite', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sigil-model-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    SENTENCE,
    async () => {
      await compare(async () => {
        const file = join(folder, `${randomUUID()}.db`);
        const [one, two] = [sqliteTasks(openBetterSqlite(file)), sqliteTasks(openBetterSqlite(file))];
        for (const store of [one, two]) await store.open?.('model');
        return { one, two };
      }, 150);
    },
    240_000,
  );
});
