/**
 * Measures what a node of Redis does for tasks: instances of the real code in this process, and a redis-server of its own, whose counters say
 * what was run. It is measured with a few and with many instances, because all of them hear of each change.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { createServer, tool, type Server } from '@sigil-mcp/core';
import { TASKS, tasks, type TaskStore } from '@sigil-mcp/tasks';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { connect, ManualClock, type TestClient } from '@sigil-mcp/testing';
import { RedisServer } from '../../../support/supplies/redis-server';
import { until } from '../../../support/until';
import { TASK_OPERATIONS, type NodeWork, type TaskCost, type TaskCosts, type TaskOperation } from '../model/tasks';

/** How much is measured. */
export interface TaskAmount {
  /** Instances: the first works and is asked, the second has the subscriptions, the others hear of changes. */
  readonly instances: { readonly few: number; readonly many: number };
  readonly tasks: number;
}

/** For figures that are published: about a minute. */
export const TASK_AMOUNT: TaskAmount = { instances: { few: 2, many: 10 }, tasks: 2000 };

/** Seconds in which idle instances are watched, and after which leases are renewed; they pass by a clock of the measurement. */
const IDLE = 60;
const RENEWAL = 8;
/** Tasks that a subscription names, and requests at the same time. */
const [NAMED, AT_ONCE] = [20, 20];
/** Milliseconds until what an operation has set off is done, and for which the node rests. */
const [SETTLED, RESTED] = [500, 2000];
/** Milliseconds for what a second of the clock sets off. */
const STEP = 30;
const LIMITS = {
  tasks: Infinity,
  tasksPerClient: Infinity,
  kept: Infinity,
  keptPerClient: Infinity,
  polls: { calls: Infinity, per: 'second' },
} as const;

/** What the node has done so far, and what it stores. */
interface Counted extends NodeWork {
  readonly names: Readonly<Record<string, number>>;
  readonly memory: number;
}

/** Measures all of them. */
export async function measureTasks(say: (text: string) => void, amount: TaskAmount = TASK_AMOUNT): Promise<TaskCosts> {
  const { few, many } = amount.instances;
  say(`tasks of ${few} instances`);
  const first = await measureWith(few, amount.tasks);
  say(`tasks of ${many} instances`);
  const second = await measureWith(many, amount.tasks);
  const costs = TASK_OPERATIONS.map((operation) => {
    const [one, other] = [first.counts(operation), second.counts(operation)];
    return [operation, costOf(operation, one, other, many - few)] as const;
  });
  return {
    measured: { ...(await describe(first.redis)), instances: amount.instances, tasks: amount.tasks },
    operations: Object.fromEntries(costs) as Readonly<Record<TaskOperation, TaskCost>>,
    memory: Math.round(first.counts('create a task, and begin it').memory),
  };
}

/** What idle instances do is counted for each of them, so a further one adds nothing to that. */
function costOf(operation: TaskOperation, one: Counted, other: Counted, more: number): TaskCost {
  const further = (value: (work: NodeWork) => number): number =>
    operation === 'idle worker, a second' ? 0 : round(Math.max(0, (value(other) - value(one)) / more));
  return {
    commands: round(one.commands),
    bytes: Math.max(0, Math.round(one.bytes)),
    cpu: round(one.cpu),
    names: Object.fromEntries(
      Object.entries(one.names)
        .map(([name, count]) => [name, round(count)] as const)
        // Less is a timer that went off meanwhile.
        .filter(([, count]) => count >= 0.1)
        .sort(([name], [another]) => name.localeCompare(another)),
    ),
    further: {
      commands: further(({ commands }) => commands),
      bytes: Math.round(further(({ bytes }) => bytes)),
      cpu: further(({ cpu }) => cpu),
    },
  };
}

interface Measured {
  readonly redis: string;
  counts(operation: TaskOperation): Counted;
}

async function measureWith(instances: number, count: number): Promise<Measured> {
  const redis = await RedisServer.start();
  const fleet = new TaskFleet(redis);
  const counts = new Map<TaskOperation, Counted>();
  try {
    await fleet.start(instances);
    // Scripts are loaded, and connections are opened.
    await fleet.create(AT_ONCE);
    await fleet.end();
    const measuring = new MeasuringTasks(redis);
    await measuring.rest();
    const idle = await measuring.count(IDLE * instances, () => fleet.pass(IDLE));
    counts.set('idle worker, a second', idle);
    let ids: readonly string[] = [];
    counts.set(
      'create a task, and begin it',
      await measuring.count(count, async () => (ids = await fleet.create(count))),
    );
    const renewals = await measuring.count(count, () => fleet.pass(RENEWAL));
    counts.set('renew a lease', add(renewals, idle, 1, (-RENEWAL * instances) / count));
    counts.set('poll', await measuring.count(count, () => fleet.poll(ids)));
    counts.set('end', await measuring.count(count, () => fleet.end()));
    ids = await fleet.create(count);
    counts.set('watch', await measuring.count(count, () => fleet.watch(ids)));
    counts.set('end, watched', await measuring.count(count, () => fleet.end()));
    return { redis: await redis.command('INFO', 'server').then(String), counts: (operation) => get(counts, operation) };
  } finally {
    await fleet.stop();
    await redis.stop();
  }
}

function get<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`${String(key)} was not measured.`);
  return value;
}

/** Counts what the node does for operations, without what it does anyway. */
class MeasuringTasks {
  /** A millisecond of a node that nobody uses. */
  #anyway: Counted = NOTHING;

  constructor(private readonly redis: RedisServer) {}

  /** Measures what the node does anyway. */
  async rest(): Promise<void> {
    const all = await this.count(1, () => sleep(RESTED));
    this.#anyway = add(all, NOTHING, 1 / (RESTED + SETTLED));
  }

  async count(times: number, act: () => Promise<unknown>): Promise<Counted> {
    const before = await readCounts(this.redis);
    const began = performance.now();
    await act();
    const after = await settled(this.redis);
    const time = performance.now() - began;
    return add(add(after, before, 1, -1), this.#anyway, 1 / times, -time / times);
  }
}

/** What was done when no more is done: what an operation has set off takes longer on a busy machine. */
async function settled(redis: RedisServer): Promise<Counted> {
  for (let before = await readCounts(redis); ;) {
    await sleep(SETTLED);
    const after = await readCounts(redis);
    if (after.commands === before.commands) return after;
    before = after;
  }
}

const NOTHING: Counted = { commands: 0, bytes: 0, cpu: 0, names: {}, memory: 0 };

function add(one: Counted, other: Counted, times = 1, others = 0): Counted {
  const both = (value: (counted: Counted) => number): number => value(one) * times + value(other) * others;
  const names = new Set([...Object.keys(one.names), ...Object.keys(other.names)]);
  return {
    commands: both(({ commands }) => commands),
    bytes: both(({ bytes }) => bytes),
    cpu: both(({ cpu }) => cpu),
    memory: both(({ memory }) => memory),
    names: Object.fromEntries([...names].map((name) => [name, both((counted) => counted.names[name] ?? 0)])),
  };
}

/** Without the command that reads them. */
async function readCounts(redis: RedisServer): Promise<Counted> {
  const text = String(await redis.command('INFO', 'everything'));
  const names: Record<string, number> = {};
  for (const [, name = '', calls] of text.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm))
    if (name !== 'info') names[name] = Number(calls);
  const read = (name: string): number => Number(new RegExp(`^${name}:(\\S+)`, 'm').exec(text)?.[1] ?? 0);
  const infos = Number(/^cmdstat_info:calls=(\d+)/m.exec(text)?.[1] ?? 0);
  return {
    names,
    commands: Object.values(names).reduce((sum, calls) => sum + calls, 0),
    bytes: read('total_net_input_bytes') + read('total_net_output_bytes') - infos * text.length,
    cpu: 1e6 * (read('used_cpu_user') + read('used_cpu_sys')),
    memory: read('used_memory'),
  };
}

/** Instances with one store, and the clients of two of them. */
class TaskFleet {
  readonly #servers: Server[] = [];
  readonly #stores: { destroy(): void }[] = [];
  readonly #clients: TestClient[] = [];
  readonly #ends: (() => void)[] = [];
  /** Nothing is due but what a measurement lets happen. */
  readonly #clock = new ManualClock();
  #ended = 0;
  #watched = 0;

  constructor(private readonly redis: RedisServer) {}

  async start(instances: number): Promise<void> {
    const work = tool('work', { description: 'Works until it is ended', task: 'required', timeout: Infinity }, () => {
      return new Promise<string>((resolve) => this.#ends.push(() => resolve('done')));
    });
    for (let index = 0; index < instances; index += 1) {
      const client = createClient({ url: this.redis.url });
      client.on('error', () => undefined);
      this.#stores.push(await client.connect());
      const store = this.#counted(redisTasks(client, { commandTimeout: 20_000 }));
      const server = createServer({
        ...{ name: 'measured', version: '1.0.0', logger: false, shutdownDeadline: 1, features: [work] },
        clock: this.#clock,
        requestState: { secrets: ['a secret of more than thirty-two characters'] },
        extensions: [tasks({ store, concurrency: 1_000_000, limits: LIMITS })],
      });
      this.#servers.push(server);
      const revision = '2026-07-28';
      this.#clients.push(await connect(server, { revision, capabilities: { extensions: { [TASKS]: {} } } }));
    }
  }

  /** Lets seconds pass, one by one. */
  async pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 1) {
      await this.#clock.advance(1000);
      await sleep(STEP);
    }
  }

  /** Creates tasks, and waits until they run. */
  async create(count: number): Promise<readonly string[]> {
    const before = this.#ends.length;
    const ids = await together(Array.from({ length: count }), async () => {
      const { taskId } = await this.#client(0).request('tools/call', { name: 'work', arguments: {} });
      return taskId as string;
    });
    await until(() => this.#ends.length === before + count);
    return ids;
  }

  async poll(ids: readonly string[]): Promise<void> {
    await together(ids, (taskId) => this.#client(0).request('tasks/get', { taskId }));
  }

  async watch(ids: readonly string[]): Promise<void> {
    const client = this.#client(1);
    this.#watched += ids.length;
    for (let at = 0; at < ids.length; at += NAMED) {
      const before = client.notifications('notifications/subscriptions/acknowledged').length;
      client.start('subscriptions/listen', { notifications: { taskIds: [...ids.slice(at, at + NAMED)] } });
      await until(() => client.notifications('notifications/subscriptions/acknowledged').length > before);
    }
  }

  /** Ends all handlers, and waits until each task has its result, and those who watch it have heard of that. */
  async end(): Promise<void> {
    const [ended, watched] = [this.#ended + this.#ends.length, this.#watched];
    for (const end of this.#ends.splice(0)) end();
    await until(() => this.#ended === ended);
    await until(() => this.#client(1).notifications('notifications/tasks').length >= watched);
  }

  /** A store that counts the tasks that end, which asks it nothing. */
  #counted(store: TaskStore): TaskStore {
    const replace = store.replace.bind(store);
    store.replace = async (task, room) => {
      const answer = await replace(task, room);
      if (task.isEnded && answer === true) this.#ended += 1;
      return answer;
    };
    return store;
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    await Promise.all(this.#clients.map((client) => client.close()));
    const closed = Promise.all(this.#servers.map((server) => server.close()));
    await this.pass(10);
    await closed;
    for (const store of this.#stores) store.destroy();
  }

  #client(index: number): TestClient {
    const client = this.#clients[Math.min(index, this.#clients.length - 1)];
    if (!client) throw new Error('The fleet was not started.');
    return client;
  }
}

/** Some at the same time, in order. */
async function together<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const turns = all.entries();
  const worker = async (): Promise<void> => {
    for (const [index, one] of turns) results[index] = await act(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

function round(value: number): number {
  return Math.max(0, Math.round(value * 100) / 100);
}

async function describe(server: string): Promise<Pick<TaskCosts['measured'], 'sigil' | 'node' | 'redis'>> {
  const root = join(__dirname, '..', '..', '..', '..');
  const core = JSON.parse(readFileSync(join(root, 'packages', 'core', 'package.json'), 'utf8')) as { version: string };
  return {
    sigil: core.version,
    node: process.versions.node,
    redis: /redis_version:(\S+)/.exec(server)?.[1] ?? '',
  };
}
