/** Tasks run outside of the requests that create, wake and answer them; a call that is no task stays in its own. */
import { createServer, Feature, McpContext, Tool, type Extension, type Server } from '@sigil-mcp/core';
import { MemoryTaskStore, startTask, tasks, type StoredTask, type TextRoom, type TasksOptions } from '@sigil-mcp/tasks';
import type { TestClient } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { accept, answer, call, CAPABILITIES, reach, start, textOf } from '../tasks/task-client';
import { Approval } from '../tasks/bakery/bakery';
import { as, PROGRAM, serve, user, type Served } from './requests-of-users';

class Named {
  @IsString() name!: string;
}

/** What each place of each task has seen. */
let seen: [place: string, user: string][] = [];
const see = (place: string): void => void seen.push([place, user()]);
const placesOf = (...users: readonly string[]): string[] =>
  seen.filter(([, one]) => !users.includes(one)).map(([place, one]) => `${place}: ${one}`);

/** Tasks that wait until the test opens them. */
const gates = new Map<string, () => void>();
const waitFor = (name: string): Promise<void> => new Promise((resolve) => gates.set(name, resolve));

@Feature()
class Desk {
  @Tool('Says whose request it is in', { task: 'optional' })
  async who({ name }: Named): Promise<string> {
    see(`${name} begins`);
    await Promise.resolve();
    return user();
  }

  @Tool('Works until it is let go', { task: 'optional' })
  async hold({ name }: Named): Promise<string> {
    see(`${name} begins`);
    await waitFor(name);
    see(`${name} goes on`);
    return user();
  }

  @Tool('Asks', { task: { support: 'optional', retry: 1 } })
  async ask({ name }: Named, context: McpContext): Promise<string> {
    see(`${name} begins`);
    // Some code keeps a context of its own.
    await as(name, () => context.elicit(Approval, 'Go on?', { key: 'go' }));
    see(`${name} goes on`);
    const kept = await context.once('kept', () => user());
    await context.progress(1, 1, 'done');
    return `${kept} ${user()}`;
  }

  @Tool('Becomes a task later', { task: { support: 'optional', starts: 'in-handler' } })
  async later(context: McpContext): Promise<string> {
    await startTask(context);
    return user();
  }
}

/** Sees who works with it. */
class SeenStore extends MemoryTaskStore {
  override replace(task: StoredTask, room?: TextRoom): ReturnType<MemoryTaskStore['replace']> {
    see(`replace ${JSON.parse(task.text).status}`);
    return super.replace(task, room);
  }

  override due(now: number, limit: number): readonly string[] {
    see('due');
    return super.due(now, limit);
  }
}

let server: Server;
let served: Served;
beforeEach(() => {
  seen = [];
  gates.clear();
});
afterEach(() => served.close());

async function open(options: TasksOptions = {}): Promise<(name: string) => Promise<TestClient>> {
  server = createServer({
    name: 'desk',
    version: '1.0.0',
    logger: false,
    features: [Desk],
    extensions: [tasks({ store: new SeenStore(), ...options })],
  });
  served = await serve(server);
  return (name) => served.meet(name, { capabilities: CAPABILITIES });
}

/** Opens a gate, once a handler waits at it. */
async function letGo(client: TestClient, task: { readonly taskId: string }, name: string): Promise<void> {
  while (!gates.has(name)) await reach(client, task, 'working');
  gates.get(name)?.();
}

it('a call that is no task has the context of its own request', async () => {
  await open();
  const [ada, eve] = [await served.meet('ada'), await served.meet('eve')];
  const results = await Promise.all([ada, eve, ada].map((client) => call(client, 'who', { name: 'x' })));
  expect(results.map(textOf)).toEqual(['ada', 'eve', 'ada']);
});

it('a task that waits for room has nothing of the task that ends before it', async () => {
  const meet = await open({ concurrency: 1 });
  const [ada, eve] = [await meet('ada'), await meet('eve')];
  const first = await start(ada, 'hold', { name: 'first' });
  const [second, third] = [await start(eve, 'who', { name: 'second' }), await start(ada, 'who', { name: 'third' })];
  await letGo(ada, first, 'first');
  for (const [client, task] of [
    [ada, first],
    [eve, second],
    [ada, third],
  ] as const)
    expect(textOf(await reach(client, task, 'completed'))).toBe(PROGRAM);
  expect(placesOf(PROGRAM)).toEqual([]);
});

it('a task that is created while another runs has nothing of the request that created it', async () => {
  const meet = await open();
  const [ada, eve] = [await meet('ada'), await meet('eve')];
  const first = await start(ada, 'hold', { name: 'first' });
  const second = await start(eve, 'who', { name: 'second' });
  expect(textOf(await reach(eve, second, 'completed'))).toBe(PROGRAM);
  const call = await ada.request('tools/call', { name: 'later', arguments: {} });
  expect(textOf(await reach(ada, call as { taskId: string }, 'completed'))).toBe(PROGRAM);
  await letGo(ada, first, 'first');
  expect(textOf(await reach(ada, first, 'completed'))).toBe(PROGRAM);
});

it.each([
  ['in memory', { waiting: 1000 }],
  ['by a new run', { waiting: 0 }],
])('a task that goes on %s has nothing of the request that answers it', async (_way, options) => {
  const rights = jest.fn(() => {
    see('rights');
    return { scopes: [] };
  });
  const meet = await open({ ...options, rights });
  const [ada, eve] = [await meet('ada'), await meet('eve')];
  const task = await start(ada, 'ask', { name: 'asking' });
  await reach(ada, task, 'input_required');
  await answer(eve, task, { go: accept() });
  expect(textOf(await reach(ada, task, 'completed'))).toBe(`${PROGRAM} ${PROGRAM}`);
  expect(rights).toHaveBeenCalled();
  // The answer is written in the request that brings it, and the question where the handler asks.
  expect(seen.filter(([, one]) => one === 'eve').map(([place]) => place)).toEqual(
    expect.arrayContaining(['replace working']),
  );
  expect(placesOf(PROGRAM, 'eve', 'asking')).toEqual([]);
  expect(placesOf(PROGRAM).filter((place) => !place.startsWith('replace'))).toEqual([]);
});

it('the next task has nothing of a handler that waits in a context of its own', async () => {
  const meet = await open({ concurrency: 1 });
  const [ada, eve] = [await meet('ada'), await meet('eve')];
  const first = await start(ada, 'ask', { name: 'asking' });
  const second = await start(eve, 'who', { name: 'second' });
  expect(textOf(await reach(eve, second, 'completed'))).toBe(PROGRAM);
  await answer(ada, first, { go: accept() });
  await reach(ada, first, 'completed');
});

it('an extension runs what serves everybody outside of requests, and gets back what it returns', async () => {
  let outside: (<T>(work: () => T) => T) | undefined;
  const extension: Extension = {
    name: 'com.example/worker',
    start(services) {
      outside = (work) => services.outside(work);
      return services;
    },
  };
  server = createServer({
    name: 'desk',
    version: '1.0.0',
    logger: false,
    features: [Desk],
    extensions: [tasks(), extension],
  });
  served = await serve(server);
  expect(as('ada', () => outside?.(() => user()))).toBe(PROGRAM);
  expect(as('ada', () => [outside?.(() => 1), user()])).toEqual([1, 'ada']);
});
