/** One process of the cluster: `node main.js`, with `PORT`, `REDIS_URL` and `SIGIL_SECRETS` in its environment. */
import 'reflect-metadata';
import {
  createServer,
  type Extension,
  Feature,
  Resource,
  Server,
  ServerRegistry,
  Tool,
  McpContext,
} from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { mark } from './marks';
import { CallingTools, Errand, Labelled, Reply } from './calling-tools';
import { createClient } from '@redis/client';
import { tasks, type TaskStore } from '@sigil-mcp/tasks';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { showsDefect, hasDefect } from './defect';
import {
  DEAD_AFTER,
  KEPT_FOR,
  IDLE_TIME,
  ANSWER_TIME,
  RETRY_INTERVAL,
  NAMESPACE,
  DEADLINE_VARIABLE,
  PATIENT,
  TASKS_PREFIX,
  TASK_LEASE,
  TASK_TIME,
} from './settings';
import type { Stores } from '@sigil-mcp/core/stores';
import { redis } from '@sigil-mcp/redis';
import { IsString, IsInt } from 'class-validator';
import { setTimeout as delay } from 'node:timers/promises';

/** A method of a port, whatever it takes. */
type Method = (...given: readonly unknown[]) => unknown;

/** A question about a number, and its name. */
class Riddle extends Labelled {
  @IsInt() number!: number;
}

/** Tasks. */
@Feature()
export class TaskTools {
  @Tool('Takes its time, and says when the work is done', { task: 'required' })
  async errand({ label, milliseconds }: Errand, context: McpContext): Promise<string> {
    await delay(milliseconds / 2);
    await context.progress(1, 2);
    mark('worked', label);
    await delay(milliseconds / 2);
    return `done ${label}`;
  }

  @Tool('Asks for the number that follows, and works with the answer', { task: 'required' })
  async riddle({ number, label }: Riddle, context: McpContext): Promise<string> {
    const answer = await context.elicit(Reply, `What follows ${number}?`, { key: 'number' });
    mark('worked', label);
    if (showsDefect('double-work')) mark('worked', label);
    await delay(20);
    return JSON.stringify({ number, answer: answer.action === 'accept' ? answer.content.number : answer.action });
  }

  @Tool('Works until it is cancelled', { task: 'required' })
  async drudge({ label }: Labelled, { signal }: McpContext): Promise<string> {
    mark('begun', label);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    mark('aborted', label);
    return 'aborted';
  }
}

/** Names a counter. */
class Counter {
  @IsString() name!: string;
}

/** Comes, and goes at once. */
const PASSING = { name: 'passing', description: 'Comes and goes', handler: () => 'gone' } as const;

/** Changes. */
@Feature()
export class ChangingTools {
  constructor(
    private readonly registry: ServerRegistry,
    private readonly server: Server,
  ) {}

  @Resource('counter://{name}', { name: 'counter' })
  counter({ name }: Counter): string {
    return `the counter ${name}`;
  }

  @Tool('Says that a counter has changed')
  touch({ name }: Counter): string {
    if (!showsDefect('untold-changes')) this.server.notifyResourceChanged(`counter://${name}`);
    return `touched ${name}`;
  }

  @Tool('Adds a tool and removes it')
  change(): string {
    this.registry.add({ kind: 'tool', ...PASSING });
    this.registry.remove('tool', PASSING.name);
    return 'changed';
  }
}

process.on('unhandledRejection', (reason) => mark('unhandled', String(reason)));

async function main(): Promise<void> {
  const stores = await openStores(process.env['REDIS_URL']);
  const server = createServer({
    name: 'cluster',
    version: '1.0.0',
    features: [CallingTools, ChangingTools, TaskTools],
    extensions: [await openTasks(process.env['REDIS_URL'])],
    answerTimeout: ANSWER_TIME,
    shutdownDeadline: Number(process.env[DEADLINE_VARIABLE] ?? 2000),
    logger: 'error',
    ...(stores && { stores }),
  });
  const sessions = { idleTime: IDLE_TIME };
  await server.listen(new HttpTransport({ sse: true, sessions, retryInterval: RETRY_INTERVAL }));
  mark('ready');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});

/** The extension, in memory where each process is on its own. */
async function openTasks(url: string | undefined): Promise<Extension<object>> {
  const limits = { tasksPerClient: Infinity, polls: { calls: 1_000_000, per: 'second' } } as const;
  const options = { lease: TASK_LEASE, ttl: TASK_TIME, pollInterval: 50, limits };
  if (url === undefined) return tasks(options);
  const client = createClient({ url, socket: { reconnectStrategy: 100 } });
  // It comes back by itself; what could not be done meanwhile says so.
  client.on('error', () => undefined);
  await client.connect();
  return tasks({ ...options, store: defectiveTasks(redisTasks(client, { prefix: TASKS_PREFIX })) });
}

/** The store as it is, unless a defect is wanted. */
function defectiveTasks(store: TaskStore): TaskStore {
  return overriding(store, {
    // A task is said to be kept, and is not.
    create: (real, given) => (showsDefect('lost-tasks') ? undefined : real(...given)),
  });
}

/** Opens the stores; undefined where each process is on its own. */
async function openStores(url: string | undefined): Promise<Stores | undefined> {
  if (url === undefined) return undefined;
  const client = createClient({ url, socket: { reconnectStrategy: 100 } });
  // It comes back by itself; what could not be done meanwhile says so.
  client.on('error', () => undefined);
  await client.connect();
  if (hasDefect('left-keys')) await client.set(`${NAMESPACE}:{left}:s`, 'for ever');
  const patience = process.env[DEADLINE_VARIABLE] === undefined ? {} : { commandTimeout: PATIENT };
  const streams = { keepFor: KEPT_FOR };
  const stores = redis({ client, namespace: NAMESPACE, deadAfter: DEAD_AFTER, streams, ...patience });
  return defectiveStores(stores);
}

/** The stores as they are, unless a defect is wanted. */
function defectiveStores(stores: Stores): Stores {
  return overriding(stores, {
    sessions: overriding(stores.sessions, {
      // What is ended here is not ended for others.
      end: (real, given) => (hasDefect('undying-sessions') ? true : real(...given)),
    }),
    streams: overriding(stores.streams, {
      // Nobody ends what its owner did not: whoever comes back waits for ever.
      end: (real, given) => (hasDefect('endless-streams') ? true : real(...given)),
      read: async (real, given) => distort(await real(...given)),
    }),
    bus: overriding(stores.bus, {
      announce: (real, given) => (showsDefect('deaf-bus') ? undefined : real(...given)),
      send: (real, given) => (showsDefect('deaf-bus') ? true : real(...given)),
    }),
  });
}

/** Loses an event of what was read, or has one twice. */
function distort(part: unknown): unknown {
  const { events = [] } = (part ?? {}) as { readonly events?: readonly unknown[] };
  if (events.length > 0 && showsDefect('lost-events')) return { ...(part as object), events: events.slice(1) };
  if (events.length > 0 && showsDefect('repeated-events'))
    return { ...(part as object), events: [...events.slice(0, 1), ...events] };
  return part;
}

/** A port, some of whose methods are others: they are given the one that they stand for, and what it would be given. */
function overriding<T extends object>(
  port: T,
  others: Readonly<Record<string, object | ((real: Method, given: readonly unknown[]) => unknown)>>,
): T {
  return new Proxy(port, {
    get: (target, name) => {
      const real: unknown = Reflect.get(target, name);
      const other = others[String(name)];
      if (typeof real !== 'function') return other ?? real;
      const bound: Method = (...given) => Reflect.apply(real, target, given) as unknown;
      if (typeof other !== 'function') return bound;
      return (...given: readonly unknown[]) =>
        (other as (real: Method, given: readonly unknown[]) => unknown)(bound, given);
    },
  });
}
