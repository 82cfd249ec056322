/** Whose tasks they are: every method answers another principal as it answers an unknown id, and rights are checked at every step. */
import {
  createServer,
  Feature,
  McpContext,
  Scopes,
  Tool,
  UseGuards,
  type Access,
  type Guard,
  type Server,
  type Verdict,
} from '@sigil-mcp/core';
import type { JsonObject } from '@sigil-mcp/protocol';
import { connect, type TestCaller, type TestClient } from '@sigil-mcp/testing';
import { tasks, type TasksOptions } from '@sigil-mcp/tasks';
import { Approval, Bread } from './bakery/bakery';
import { SharedStore } from './shared-store';
import { accept, answer, CAPABILITIES, get, reach, start, textOf, WITH_TASKS, type Task } from './task-client';

const ADA = { id: 'ada', scopes: ['bake'] };
const UNKNOWN = 'AAAAAAAAAAAAAAAAAAAAAA';
const SECRETS = { requestState: { secrets: ['a secret that all instances of this server share'] } };

/** Lets bakers in, and everybody whose name is not on a list. */
class NotBanned implements Guard {
  static readonly banned = new Set<string>();
  allows({ caller }: Access): Verdict {
    return !NotBanned.banned.has(caller.id);
  }
}

@Feature()
@UseGuards(NotBanned)
class Bakery {
  @Tool('Bakes what is approved', { task: 'optional' })
  @Scopes('bake')
  async bake({ name }: Bread, context: McpContext): Promise<string> {
    const { action } = await context.elicit(Approval, `Bake ${name}?`, { key: 'approval' });
    const { caller, headers } = context;
    return JSON.stringify([action, caller.id, caller.scopes, caller.claims, caller.expiresAt ?? null, headers]);
  }
}

let server: Server;
const clients: TestClient[] = [];
beforeEach(() => NotBanned.banned.clear());
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.close();
});

function bakery(options?: TasksOptions): void {
  const definition = { name: 'bakery', version: '1.0.0', logger: false } as const;
  server = createServer({ ...definition, features: [Bakery], extensions: [tasks(options)], ...SECRETS });
}

async function meet(as?: TestCaller): Promise<TestClient> {
  const client = await connect(server, { revision: WITH_TASKS, capabilities: CAPABILITIES, ...(as && { as }) });
  clients.push(client);
  return client;
}

/** How a method refuses. */
async function refusal(client: TestClient, method: string, taskId: string): Promise<unknown> {
  const refused = await client.request(method, { taskId, inputResponses: {} }).catch((error: object) => error);
  const { code, message, data } = refused as { code: number; message: string; data: unknown };
  return { code, message: message.replace(taskId, '<id>'), data };
}

describe('a task of another caller', () => {
  it.each([
    ['another user', { id: 'eve', scopes: ['bake'] }],
    ['another client of the same user', { ...ADA, clientId: 'phone' }],
    ['a user of another issuer', { ...ADA, issuer: 'https://two.example' }],
    ['nobody', undefined],
  ] as const)('is not known to %s, as an id is not that does not exist [TASK-046]', async (_who, other) => {
    bakery();
    const task = await start(await meet(ADA), 'bake', { name: 'rye' });
    const client = await meet(other);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect(await refusal(client, method, task.taskId)).toEqual(await refusal(client, method, UNKNOWN));
    const listening = client.start('subscriptions/listen', { notifications: { taskIds: [task.taskId] } });
    listening.result.catch(() => undefined);
    const { params } = await client.waitForNotification('notifications/subscriptions/acknowledged');
    expect((params as { notifications: { taskIds?: unknown } }).notifications.taskIds ?? []).toEqual([]);
  });

  it('is the same for all tokens of its owner', async () => {
    bakery();
    const task = await start(await meet(ADA), 'bake', { name: 'rye' });
    const later = await meet({ ...ADA, expiresAt: Date.now() + 60_000 });
    await reach(later, task, 'input_required');
    await answer(later, task, { approval: accept() });
    expect(textOf(await reach(later, task, 'completed'))).toContain('"ada"');
  });
});

describe('the rights of a task', () => {
  const begin = async (options?: TasksOptions): Promise<{ client: TestClient; task: Task }> => {
    bakery(options);
    const client = await meet(ADA);
    const task = await start(client, 'bake', { name: 'rye' });
    await reach(client, task, 'input_required');
    return { client, task };
  };

  it('are those of its caller, without token, headers or expiry', async () => {
    bakery();
    const client = await meet({ ...ADA, claims: { team: 'dough' }, expiresAt: Date.now() + 3_600_000 });
    const task = await start(client, 'bake', { name: 'rye' });
    await reach(client, task, 'input_required');
    await answer(client, task, { approval: accept() });
    const said = JSON.parse(String(textOf(await reach(client, task, 'completed')))) as unknown[];
    expect(said).toEqual(['accept', 'ada', ['bake'], { team: 'dough' }, null, {}]);
  });

  it('are needed by each request about it: a token without the scope is told so, and changes nothing', async () => {
    const { client, task } = await begin();
    const less = await meet({ ...ADA, scopes: [] });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect(await refusal(less, method, task.taskId)).toMatchObject({
        message: expect.stringContaining('bake') as unknown,
      });
    expect(await get(client, task)).toMatchObject({ status: 'input_required' });
  });

  it('hide it from its own caller as soon as a guard does', async () => {
    const { client, task } = await begin();
    NotBanned.banned.add('ada');
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect(await refusal(client, method, task.taskId)).toEqual(await refusal(client, method, UNKNOWN));
  });

  it('are asked for before it goes on: without the scope, the task fails and nothing more is done', async () => {
    let scopes: readonly string[] = ['bake'];
    const { client, task } = await begin({ rights: () => ({ scopes }) });
    scopes = [];
    await answer(client, task, { approval: accept() });
    expect(await reach(client, task, 'failed')).toMatchObject({
      error: { message: expect.stringContaining('bake') as unknown },
    });
  });

  it('end it when its caller has none any more', async () => {
    let isKnown = true;
    const { client, task } = await begin({ rights: () => (isKnown ? { scopes: ['bake'] } : undefined) });
    isKnown = false;
    await answer(client, task, { approval: accept() });
    expect(await reach(client, task, 'failed')).toMatchObject({
      error: { message: 'The caller of the task has no rights any more.' },
    });
  });

  it('are those of the newest request: its handler begins again with them', async () => {
    const { task } = await begin();
    const more = await meet({ ...ADA, scopes: ['bake', 'sell'] });
    await answer(more, task, { approval: accept() });
    expect(textOf(await reach(more, task, 'completed'))).toContain('["bake","sell"]');
  });
});

describe('a task of a caller without an identity', () => {
  it('belongs to whoever has its id, which nobody can guess [TASK-046]', async () => {
    server = createServer({
      name: 'bakery',
      version: '1.0.0',
      logger: false,
      features: [OpenBakery],
      extensions: [tasks({ store: new SharedStore() })],
      ...SECRETS,
    });
    const ids = new Set<string>();
    const client = await meet();
    for (let count = 0; count < 50; count += 1) ids.add((await start(client, 'greet')).taskId);
    expect(ids.size).toBe(50);
    const [first] = ids;
    expect(await reach(await meet(), { taskId: first! }, 'completed')).toMatchObject({ status: 'completed' });
    const named = await meet(ADA);
    expect(await refusal(named, 'tasks/get', first!)).toEqual(await refusal(named, 'tasks/get', UNKNOWN));
  });
});

@Feature()
class OpenBakery {
  @Tool('Greets', { task: 'optional' })
  greet(): JsonObject | string {
    return 'Hello.';
  }
}
