/** One session, two instances: whatever a client sends to the one holds on the other. */
import { Feature, McpContext, Resource, Tool } from '@sigil-mcp/core';
import { StoreAway, type MemoryStores, type Stores } from '@sigil-mcp/core/stores';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { IsString } from 'class-validator';
import { as, believing, request } from './http-server';
import { until } from './raw-request';
import { initialize, readStream, serveTwice, type Instances } from './two-instances';
import { revisionsOf } from '../../support/each-revision';

const VERSIONS = revisionsOf({ since: '2025-03-26', until: '2025-11-25' });

class Name {
  @IsString()
  name!: string;
}

@Feature()
class Desk {
  static reasons: string[] = [];
  static letOn: (() => void)[] = [];

  @Tool('Says hello')
  hello(): string {
    return 'hello';
  }

  @Tool('Asks for a name')
  async name(context: McpContext): Promise<string> {
    const answer = await context.elicit(Name, 'Name?', { key: 'name' });
    return answer.action === 'accept' ? answer.content.name : answer.action;
  }

  @Tool('Waits')
  async wait(context: McpContext): Promise<string> {
    await new Promise<void>((resolve) => {
      Desk.letOn.push(resolve);
      context.signal.addEventListener('abort', () => {
        Desk.reasons.push((context.signal.reason as Error).message);
        resolve();
      });
    });
    return 'done';
  }

  @Tool('Logs a word')
  log(context: McpContext): string {
    context.log.debug('a word');
    return 'logged';
  }

  @Resource('desk://plan', {})
  plan(): string {
    return 'plan';
  }
}

let both: Instances;
const start = async (options?: HttpTransportOptions, seenByB?: (stores: MemoryStores) => Stores) => {
  Desk.reasons = [];
  Desk.letOn = [];
  both = await serveTwice({ features: [Desk], answerTimeout: 5000 }, options, seenByB);
};
afterEach(() => both.close());

const tool = (id: number, name: string) => request(id, 'tools/call', { name, _meta: { progressToken: 1 } });

describe.each(VERSIONS)('a session of %s', (version) => {
  it('is found by an instance that it was not opened at', async () => {
    await start();
    const session = await initialize(both.a, version);
    expect((await both.b.post(tool(1, 'hello'), session)).messages).toMatchObject([
      { id: 1, result: { content: [{ text: 'hello' }] } },
    ]);
  });

  it('belongs to whoever opened it, wherever others try', async () => {
    await start({ auth: believing });
    const session = await initialize(both.a, version, as('ada'));
    expect((await both.b.post(tool(1, 'hello'), { ...session, ...as('bob') })).status).toBe(404);
    expect((await both.b.post(tool(1, 'hello'), session)).status).toBe(200);
    expect((await both.b.post(tool(1, 'hello'), { ...session, ...as('bob') })).status).toBe(404);
  });

  it('is over everywhere once it was ended anywhere, and what runs for it is cancelled', async () => {
    await start();
    const session = await initialize(both.a, version);
    const waiting = both.a.post(tool(1, 'wait'), session);
    await until(() => Desk.letOn.length === 1);
    expect((await fetch(both.b.url, { method: 'DELETE', headers: session })).status).toBe(204);
    expect((await waiting).status).toBe(404);
    expect(Desk.reasons).toEqual(['The client ended the session.']);
    for (const open of [both.a, both.b]) expect((await open.post(tool(2, 'hello'), session)).status).toBe(404);
  });

  it('cancels on one instance what runs on another', async () => {
    await start();
    const session = await initialize(both.a, version);
    const waiting = both.a.post(tool(7, 'wait'), session);
    await until(() => Desk.letOn.length === 1);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'enough' } };
    expect((await both.b.post(cancelled, session)).status).toBe(202);
    expect((await waiting).status).toBe(202);
    expect(Desk.reasons).toEqual([expect.stringContaining('enough')]);
  });

  it('keeps its level for logs everywhere', async () => {
    await start();
    const session = await initialize(both.a, version);
    await both.a.post(tool(1, 'log'), session);
    await both.b.post(request(2, 'logging/setLevel', { level: 'debug' }), session);
    const { messages } = await both.a.post(tool(3, 'log'), session);
    expect(messages).toMatchObject([{ method: 'notifications/message', params: { level: 'debug' } }, { id: 3 }]);
  });

  it('does what was refused for want of the store neither then nor later', async () => {
    let isAway = false;
    await start({}, (stores) => ({ ...stores, ...refusing(stores, () => isAway), close: () => undefined }));
    const session = await initialize(both.a, version);
    isAway = true;
    const refused = await both.b.post(request(1, 'logging/setLevel', { level: 'debug' }), session);
    expect(refused.status).toBe(503);
    expect((await both.b.post(request(2, 'resources/subscribe', { uri: 'desk://plan' }), session)).status).toBe(503);
    isAway = false;
    for (const open of [both.b, both.a])
      expect((await open.post(tool(3, 'log'), session)).messages).toMatchObject([{ id: 3 }]);
    const stream = await readStream(both.b, session);
    both.b.server.notifyResourceChanged('desk://plan');
    both.b.server.registry.remove('tool', 'hello');
    await until(() => stream.messages.length > 0);
    expect(stream.messages).toMatchObject([{ method: 'notifications/tools/list_changed' }]);
    stream.cut();
  });

  it('answers none of several requests at once before what they changed is written', async () => {
    const writes: (() => void)[] = [];
    let isSlow = false;
    const hold = () => (isSlow ? new Promise<void>((resolve) => writes.push(resolve)) : undefined);
    await start({}, (stores) => ({ ...stores, ...holding(stores, hold), close: () => undefined }));
    const [session, other] = [await initialize(both.a, version), await initialize(both.a, version)];
    isSlow = true;
    let answered = 0;
    const changes = ['desk://plan', 'desk://plan'].map((uri, index) =>
      both.b.post(request(index, 'resources/subscribe', { uri }), session).then(() => answered++),
    );
    await until(() => writes.length > 0);
    // Another session is served meanwhile, twice over: both of the first have come by then.
    for (const id of [1, 2]) expect((await both.b.post(request(id, 'ping'), other)).status).toBe(200);
    expect(answered).toBe(0);
    isSlow = false;
    for (const letOn of writes) letOn();
    await Promise.all(changes);
  });

  it('hears on the stream that one instance holds of what it subscribed to at another and changed at a third', async () => {
    await start();
    const session = await initialize(both.a, version);
    const stream = await readStream(both.a, session);
    both.b.server.notifyResourceChanged('desk://plan');
    await both.b.post(request(1, 'resources/subscribe', { uri: 'desk://plan' }), session);
    both.b.server.notifyResourceChanged('desk://plan');
    await until(() => stream.messages.length === 1);
    await both.b.post(request(2, 'resources/unsubscribe', { uri: 'desk://plan' }), session);
    both.b.server.notifyResourceChanged('desk://plan');
    both.b.server.registry.remove('tool', 'hello');
    await until(() => stream.messages.length === 2);
    expect(stream.messages).toMatchObject([
      { method: 'notifications/resources/updated', params: { uri: 'desk://plan' } },
      { method: 'notifications/tools/list_changed' },
    ]);
    stream.cut();
  });
});

it('answers a batch as one, also where some of it is for another instance', async () => {
  await start();
  const session = await initialize(both.a, '2025-03-26');
  const waiting = both.a.post(tool(7, 'wait'), session);
  await until(() => Desk.letOn.length === 1);
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'enough' } };
  const answer = { jsonrpc: '2.0', id: `ask-${'0'.repeat(16)}-1`, result: {} };
  const { status, messages } = await both.b.post([cancelled, tool(8, 'hello'), answer, request(9, 'ping')], session);
  expect([status, messages]).toMatchObject([200, [{ id: 8, result: { content: [{ text: 'hello' }] } }, { id: 9 }]]);
  expect((await waiting).status).toBe(202);
  expect((await both.b.post([cancelled, answer], session)).status).toBe(202);
});

it('takes a session whose record another version of the server has written for none', async () => {
  await start();
  const conversations = ['{"revision":"2025-11-25"}', '{"revision":"2025-11-25","capabilities":{},"level":"loud"}'];
  const records = conversations.map((each) => `{"n":1,"endpoint":"/mcp","conversation":${each}}`);
  for (const record of ['', 'no JSON', 'null', '[]', '{}', ...records]) {
    const session = await initialize(both.a, '2025-11-25');
    both.stores.sessions.open(session['mcp-session-id'] ?? '', record, 60_000);
    expect([record, (await both.b.post(tool(1, 'hello'), session)).status]).toEqual([record, 404]);
  }
});

describe.each(revisionsOf({ since: '2025-06-18', until: '2025-11-25' }))('a session of %s', (version) => {
  it('answers at one instance what another one asked', async () => {
    await start();
    const session = await initialize(both.a, version);
    await both.b.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    const stream = await readStream(both.a, session, tool(1, 'name'));
    await until(() => stream.messages.length === 1);
    const [asked] = stream.messages;
    expect(asked).toMatchObject({ method: 'elicitation/create' });
    const answer = { jsonrpc: '2.0', id: asked?.id, result: { action: 'accept', content: { name: 'Ada' } } };
    expect((await both.b.post(answer, session)).status).toBe(202);
    await stream.done;
    expect(stream.messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'Ada' }] } });
  });
});

/** Sessions whose changes cannot be written for a while. */
function refusing({ sessions }: MemoryStores, isAway: () => boolean): Pick<Stores, 'sessions'> {
  return holding({ sessions } as MemoryStores, () => {
    if (isAway()) throw new StoreAway(new Error('away'));
    return undefined;
  });
}

/** Sessions whose changes wait before they are written. */
function holding({ sessions }: MemoryStores, hold: () => Promise<void> | undefined): Pick<Stores, 'sessions'> {
  return {
    sessions: {
      open: (...words) => sessions.open(...words),
      use: (...words) => sessions.use(...words),
      replace: async (...words) => {
        await hold();
        return sessions.replace(...words);
      },
      end: (id) => sessions.end(id),
    },
  };
}
