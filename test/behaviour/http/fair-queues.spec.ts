/**
 * Every queue that clients share: `@Tool({ concurrency })`, scripts, their compiler, the workers of tasks. One address sends 240 long calls;
 * the call of another one begins within one turn, is told that it waits, and does not lose its time to the wait.
 */
import { tool, type Extension, type FeatureSource, type Observer, type ToolOptions } from '@sigil-mcp/core';
import { tasks } from '@sigil-mcp/tasks';
import { connect, ManualClock, type TestClient } from '@sigil-mcp/testing';
import { codeToolset, type ScriptLimits } from '@sigil-mcp/toolsets/code';
import { z } from 'zod';
import { CAPABILITIES, get, start, textOf, WITH_TASKS, type Task } from '../tasks/task-client';
import { serve, type OpenServer } from './http-server';
import { until } from './raw-request';

const FLOOD = 240;
const PLACES = 4;
/** Milliseconds that a call may run. */
const TIME = 10_000;
/** Nearly all of it: twice that is too long. */
const LONG = 9000;
/** Limits of CPU that a busy machine does not reach. */
const PATIENT = { cpu: 50_000, check: 60_000 };

/** What runs on the server, until the test ends it. */
class Kitchen {
  /** Names of callers, in the order in which their calls began. */
  readonly begun: string[] = [];
  readonly #ends = new Map<string, (() => void)[]>();

  /** The tool whose calls are long. */
  work(options: Partial<ToolOptions> = {}): FeatureSource {
    const input = z.object({ who: z.string() });
    return tool('work', { description: 'Works until it is ended', input, ...options }, ({ who }) => {
      this.begun.push(who);
      return new Promise<string>((resolve) =>
        this.#ends.set(who, [...(this.#ends.get(who) ?? []), () => resolve('done')]),
      );
    });
  }

  /** Ends the first call of a caller that runs. */
  end(who: string): void {
    this.#ends.get(who)?.shift()?.();
  }
}

/** A call that was sent. */
interface Sent {
  /** What its client was told while it waits; undefined until then. */
  told(): Promise<string | undefined>;
  /** The text of its result. */
  result(): Promise<unknown>;
}

/** A queue that clients share, with room for four. */
interface Queue {
  readonly title: string;
  readonly revisions: readonly string[];
  readonly waits: string;
  open(kitchen: Kitchen): { readonly features: FeatureSource[]; readonly extensions?: Extension<object>[] };
  send(client: TestClient, who: string): Promise<Sent>;
}

const BOTH = ['2025-11-25', '2026-07-28'];

function sendCall(client: TestClient, name: string, args: Record<string, string>): Sent {
  let words: string | undefined;
  const result = client.callTool(name, args, { onProgress: ({ message }) => (words ??= message) });
  result.catch(() => undefined);
  return { told: () => Promise.resolve(words), result: async () => textOf(await result) };
}

async function sendTask(client: TestClient, who: string): Promise<Sent> {
  const task = await start(client, 'work', { who });
  const now = (): Promise<Task> => get(client, task);
  return {
    told: async () => (await now())['statusMessage'] as string | undefined,
    async result() {
      await until(async () => (await now()).status !== 'working');
      return textOf(await now());
    },
  };
}

const scripts = (limits: ScriptLimits): Extension<object> =>
  codeToolset({ limits: { ...PATIENT, time: TIME, ...limits } });

const QUEUES: readonly Queue[] = [
  {
    title: 'calls of a tool with `concurrency`',
    revisions: BOTH,
    waits: 'The tool work waits for its turn.',
    open: (kitchen) => ({ features: [kitchen.work({ concurrency: PLACES, timeout: TIME })] }),
    send: async (client, who) => sendCall(client, 'work', { who }),
  },
  {
    title: 'scripts',
    revisions: BOTH,
    waits: 'The tool run_code waits for its turn.',
    open: (kitchen) => ({ features: [kitchen.work()], extensions: [scripts({ scripts: PLACES })] }),
    send: async (client, who) => sendCall(client, 'run_code', { code: `return tools.work({ who: '${who}' })` }),
  },
  {
    title: 'tasks of a worker',
    revisions: [WITH_TASKS],
    waits: 'The task waits for its turn.',
    open: (kitchen) => ({
      features: [kitchen.work({ task: 'required', timeout: TIME })],
      extensions: [tasks({ concurrency: PLACES, limits: { tasksPerClient: 2 * FLOOD } })],
    }),
    send: sendTask,
  },
];

let clock: ManualClock;
let open: OpenServer;
const clients: TestClient[] = [];
beforeEach(() => void (clock = new ManualClock()));
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  const closed = open.close();
  await clock.advance(60_000);
  await closed;
});

async function meet(address: number, revision: string): Promise<TestClient> {
  const headers = { 'x-forwarded-for': `192.0.2.${address}` };
  const client = await connect(open.url, { revision, headers, capabilities: CAPABILITIES });
  expect(client.revision).toBe(revision);
  clients.push(client);
  return client;
}

describe.each(QUEUES)('$title', ({ revisions, waits, open: define, send }) => {
  it.each(revisions)('begin within one turn, whatever another address has sent (%s)', async (revision) => {
    const kitchen = new Kitchen();
    const { begun } = kitchen;
    open = await serve({ ...define(kitchen), clock, shutdownDeadline: 1 }, { trustProxy: ['loopback'] });
    const [eve, bob, ada] = [await meet(1, revision), await meet(2, revision), await meet(3, revision)];
    await Promise.all(Array.from({ length: FLOOD }, () => send(eve, 'eve')));
    await until(() => begun.length === PLACES / 2);
    for (let count = 0; count < PLACES; count += 1) await send(bob, 'bob');
    await until(() => begun.length === PLACES);
    expect(begun).toEqual(['eve', 'eve', 'bob', 'bob']);
    const mine = await send(ada, 'ada');
    await clock.advance(LONG);
    await until(async () => (await mine.told()) === waits);
    kitchen.end('eve');
    await until(() => begun.length > PLACES);
    expect(begun[PLACES]).toBe('ada');
    await clock.advance(LONG);
    kitchen.end('ada');
    expect(await mine.result()).toBe('done');
  });
});

describe('the compiler of scripts', () => {
  // What it refuses takes no thread to run, so the order of its answers is the order of its work.
  const REFUSED = 'tools.nothing();\n'.repeat(50);

  it.each(BOTH)('checks a script within one turn, whatever another address has sent (%s)', async (revision) => {
    const [arrived, ended]: [string[], string[]] = [[], []];
    const order: Observer = {
      requestStarted({ method, address = '' }) {
        if (method !== 'tools/call') return;
        arrived.push(address);
        return { ended: () => void ended.push(address) };
      },
    };
    open = await serve(
      {
        features: [new Kitchen().work()],
        extensions: [scripts({ scripts: 2 * FLOOD, scriptsPerClient: 2 * FLOOD })],
        observers: [order],
        clock,
        shutdownDeadline: 1,
      },
      { trustProxy: ['loopback'] },
    );
    const [eve, ada] = [await meet(1, revision), await meet(2, revision)];
    for (let count = 0; count < FLOOD; count += 1) sendCall(eve, 'run_code', { code: REFUSED });
    await until(() => arrived.length === FLOOD);
    const mine = sendCall(ada, 'run_code', { code: 'tools.nothing()' });
    await until(() => arrived.length > FLOOD);
    const before = ended.length;
    await clock.advance(2 * TIME);
    expect(await mine.result()).toContain("'nothing' does not exist");
    expect(await mine.told()).toBe('The tool run_code waits for its turn.');
    // The one that was being checked, and one whose turn it was.
    expect(ended.slice(before).indexOf(arrived[FLOOD] ?? '')).toBeLessThanOrEqual(2);
  });
});
