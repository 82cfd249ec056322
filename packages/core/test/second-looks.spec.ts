/** The second condition of a line: the bound, the race, the other kind of verdict. Each of these lines works without it, nearly always. */
import { PassThrough } from 'node:stream';
import { ALL_REVISIONS } from '@sigil-mcp/protocol';
import {
  createServer,
  Denial,
  Caller,
  MemoryTransport,
  tool,
  resource,
  type Guard,
  type Interceptor,
  type McpContext,
} from '../src';
import { addAnswers, newJournal } from '../src/asking/call-memory';
import { RequestStates } from '../src/asking/request-states';
import type { RunningCall } from '../src/calls/running-call';
import type { ConversationRecord } from '../src/calls/conversation';
import { RunningCalls } from '../src/calls/running-calls';
import { HandshakeConversation } from '../src/conversations/handshake-conversation';
import type { ClientFacts } from '../src/context/mcp-context';
import { OPEN_POLICY } from '../src/context/entry-facts';
import type { Access } from '../src/context/call';
import { ChangeListeners } from '../src/kernel/change-listeners';
import { ClientLoad } from '../src/limits/client-load';
import { Account } from '../src/limits/account';
import { limitsOf } from '../src/limits/server-limits';
import { SubscriptionBudget } from '../src/limits/budget';
import { limitConcurrency } from '../src/pipeline/limit-concurrency';
import { guardsToAsk, type Entry } from '../src/registry/entry';
import { Registry } from '../src/registry/registry';
import { systemClock } from '@sigil-mcp/base';
import { StdioTransport } from '../src/transports/stdio/stdio-transport';

const STRANGER: ClientFacts = { name: 'x', version: '1', capabilities: {} };
const ADA = new Caller({ id: 'ada' });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

function toolEntry(guards: readonly Guard[]): Entry<'tool'> {
  return {
    get face() {
      return this;
    },
    kind: 'tool',
    key: 'guarded',
    definition: { name: 'guarded', inputSchema: { type: 'object' } },
    source: { feature: undefined, member: undefined, module: undefined },
    shapes: { input: undefined, output: undefined },
    policy: OPEN_POLICY,
    guards,
    invoke: () => undefined,
    hasStages: false,
    completers: new Map(),
    template: undefined,
    list: undefined,
    cache: undefined,
    isUnlisted: false,
    mirrored: [],
    input: undefined,
    asks: [],
  };
}

describe('a list', () => {
  it('hides what a guard of rights denies with reasons, as it hides what one refuses without', () => {
    const denies: Guard = { dependsOn: 'rights', allows: () => new Denial('Not for you') };
    expect(guardsToAsk(toolEntry([denies]), { caller: ADA } as Access)).toBeUndefined();
  });

  it('of another instance is told to have changed by an entry that only a guard can judge', () => {
    const registry = new Registry(100);
    registry.add(toolEntry([{ allows: ({ headers }) => headers['x-name'] === 'ada' }]));
    const listeners = new ChangeListeners(registry);
    const change = { method: 'notifications/tools/list_changed' } as const;
    expect(listeners.audienceOf({ change, entries: [['tool', 'guarded']] })(ADA)).toBe(true);
    listeners.close();
  });
});

describe('room for subscriptions', () => {
  it('is given back once, however often', () => {
    const limits = limitsOf({ subscriptions: 2, subscriptionsPerClient: 2 });
    const [load, account] = [new ClientLoad(), new Account(limits)];
    const budget = new SubscriptionBudget(limits, account);
    const giveBack = budget.take(load, ['a://1']);
    giveBack();
    giveBack();
    expect([load.subscriptions, load.weight, account.all]).toEqual([0, 0, 0]);
    budget.take(load, ['a://1', 'a://2']);
    expect(() => budget.take(load, ['a://3'])).toThrow(/limits\.subscriptions/);
  });

  it('is given back by a subscription that is allowed after its client has left', async () => {
    const allows: (() => void)[] = [];
    const slow: Guard = { allows: () => new Promise((resolve) => allows.push(() => resolve(true))) };
    const server = createServer({
      name: 'slow',
      version: '1.0.0',
      logger: false,
      limits: { subscriptions: 1 },
      features: [resource('slow://one', { name: 'one', guards: [slow] }, () => 'one')],
    });
    const transport = new MemoryTransport();
    await server.listen(transport);
    for (let client = 0; client < 3; client += 1) {
      const heard: { readonly id?: number; readonly error?: object }[] = [];
      const pipe = transport.connect((text) => void heard.push(JSON.parse(text) as (typeof heard)[number]));
      const send = (id: number, method: string, params: object): void =>
        pipe.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      send(0, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      });
      send(1, 'resources/subscribe', { uri: 'slow://one' });
      await turn();
      expect([client, heard.filter(({ error }) => error)]).toEqual([client, []]);
      pipe.close();
      for (const allow of allows.splice(0)) allow();
      await turn();
    }
    await server.close();
  });
});

describe('the end of a session', () => {
  it('calls back once, and not those who have taken their listener away', () => {
    const running = new RunningCalls();
    const [stays, goes] = [jest.fn(), jest.fn()];
    running.onOver(stays);
    running.onOver(goes)();
    running.cancelAll(() => new Error('gone'));
    running.cancelAll(() => new Error('gone again'));
    expect([stays.mock.calls.length, goes.mock.calls.length]).toEqual([1, 0]);
  });
});

describe('a subscription', () => {
  const limits = limitsOf({});
  const account = new Account(limits);
  const budget = { account, subscriptions: new SubscriptionBudget(limits, account) };

  it('that another process has allowed counts here, too, and is given back once', () => {
    const running = new RunningCalls();
    const [revision] = ALL_REVISIONS;
    if (!revision) throw new Error('no revision');
    const conversation = new HandshakeConversation(revision, running, STRANGER, budget);
    const held = (): readonly number[] => [account.all, running.load.weight, running.load.subscriptions];
    const record = (subscribed: readonly string[]): ConversationRecord => ({ ...conversation.record, subscribed });
    conversation.restore(record(['slow://one', 'slow://two']));
    expect(held()).toEqual([1576, 1576, 2]);
    conversation.restore(record(['slow://two']));
    expect(held()).toEqual([788, 788, 1]);
    running.cancelAll(() => new Error('gone'));
    conversation.unsubscribe('slow://two');
    expect(held()).toEqual([0, 0, 0]);
  });

  it('that is allowed after its session is over does not begin, and gives its room back', () => {
    const running = new RunningCalls();
    const [revision] = ALL_REVISIONS;
    if (!revision) throw new Error('no revision');
    const conversation = new HandshakeConversation(revision, running, STRANGER, budget);
    const giveBack = jest.fn();
    const complete = conversation.subscribe('slow://one', giveBack);
    running.cancelAll(() => new Error('gone'));
    complete(true);
    expect([conversation.isSubscribed('slow://one'), giveBack.mock.calls.length]).toEqual([false, 1]);
  });
});

describe('a call that is asked again', () => {
  it('counts no answer to what was never asked, where its state says what was', () => {
    const asked = new Map([['name', { digest: 'd', label: 'l' }]]);
    const journal = { ...newJournal(), asked };
    const responses = { name: { action: 'accept' }, other: { action: 'accept' } };
    expect([...addAnswers(journal, responses, false).answers.keys()]).toEqual(['name']);
    expect([...addAnswers(newJournal(), responses, true).answers.keys()]).toEqual(['name', 'other']);
  });

  it('may repeat its arguments in another order', () => {
    const states = new RequestStates({
      server: 'x',
      secrets: ['s'.repeat(32)],
      lifetime: 60_000,
      maximum: 10_000,
      warn: undefined,
      clock: systemClock,
    });
    const owner = (args: object) => ({
      method: 'tools/call' as const,
      params: { name: 'a', arguments: args },
      principal: undefined,
    });
    const state = states.write(newJournal(), owner({ one: 1, two: { b: 2, a: 3 } }), true);
    expect(states.read(state, owner({ two: { a: 3, b: 2 }, one: 1 })).round).toBe(1);
    expect(() => states.read(state, owner({ one: 1, two: { b: 2, a: 4 } }))).toThrow(/another request/);
  });
});

describe('what is held', () => {
  it('counts the messages of a batch that wait for their turn, and pings that are heavy', async () => {
    const waits = tool(
      'waits',
      { description: 'Waits', input: { type: 'object' } },
      () => new Promise<string>(() => undefined),
    );
    const limits = { heldPerClient: 4 * 1024 * 1024, batchCalls: 1 };
    const server = createServer({ name: 'held', version: '1.0.0', logger: false, limits, features: [waits] });
    const transport = new MemoryTransport();
    await server.listen(transport);
    const heard: { readonly id?: number; readonly error?: { readonly message: string } }[] = [];
    const pipe = transport.connect((text) => heard.push(...[JSON.parse(text) as (typeof heard)[number]].flat()));
    const send = (message: object): void => pipe.send(JSON.stringify(message));
    const clientInfo = { name: 'x', version: '1' };
    const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
    send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const call = (id: number, bag: unknown): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'waits', arguments: { bag } },
    });
    const heavy = Array.from({ length: 40_000 }, () => ({}));
    send([call(1, null), call(2, heavy)]);
    send([call(3, null), call(4, heavy)]);
    await turn();
    expect(heard.filter(({ error }) => error?.message.includes('limits.heldPerClient'))).toHaveLength(1);
    send({ jsonrpc: '2.0', id: 5, method: 'ping', params: { heavy } });
    send({ jsonrpc: '2.0', id: 6, method: 'ping' });
    await turn();
    expect(heard.filter(({ id }) => id === 5 || id === 6)).toMatchObject([
      { id: 5, error: { message: expect.stringContaining('limits.heldPerClient') as string } },
      { id: 6, result: {} },
    ]);
    pipe.close();
    await server.close();
  });
});

describe('a line of calls', () => {
  it('is not joined by one that was cancelled before, which never runs', async () => {
    const ran: string[] = [];
    let endFirst = (): void => undefined;
    const step = limitConcurrency({ calls: 1, perClient: 1 }, undefined, (call) => {
      ran.push(String(call.id));
      return new Promise<void>((resolve) => (endFirst = resolve));
    });
    const callOf = (id: string, signal: AbortSignal): RunningCall =>
      ({
        id,
        signal,
        request: {},
        tellProgress: () => undefined,
        exchange: { caller: new Caller({ id: 'ada', kind: 'local' }) },
      }) as unknown as RunningCall;
    const first = step(callOf('first', new AbortController().signal));
    const second = step(callOf('second', AbortSignal.abort(new Error('gone'))));
    await expect(second).rejects.toThrow('gone');
    endFirst();
    await first;
    await turn();
    expect(ran).toEqual(['first']);
  });
});

/** A server over memory with a handshake that takes its time, and what its client hears. */
async function openSlowly() {
  let goOn = (): void => undefined;
  const opened = new Promise<void>((resolve) => (goOn = resolve));
  const slow: Interceptor = {
    intercept: async ({ method }, next) => {
      if (method === 'initialize') await opened;
      return next();
    },
  };
  const reasons: string[] = [];
  const waits = tool(
    'waits',
    { description: 'Waits until it is cancelled' },
    async (_input: undefined, context: McpContext) => {
      await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
      reasons.push((context.signal.reason as Error).message);
      return 'over';
    },
  );
  const server = createServer({
    name: 'slow',
    version: '1.0.0',
    logger: false,
    interceptors: [slow],
    features: [waits],
  });
  const transport = new MemoryTransport();
  await server.listen(transport);
  const heard: { readonly id?: number; readonly result?: object }[] = [];
  const pipe = transport.connect((text) => void heard.push(JSON.parse(text) as (typeof heard)[number]));
  const send = (message: object): void => pipe.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const clientInfo = { name: 'x', version: '1' };
  send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { server, heard, send, goOn: () => goOn(), _meta, reasons };
}

describe('while initialize is answered', () => {
  it('a request of a revision without handshakes does not wait for it', async () => {
    const { server, heard, send, goOn, _meta } = await openSlowly();
    send({ id: 1, method: 'tools/list', params: { _meta } });
    await turn();
    expect(heard.map(({ id }) => id)).toEqual([1]);
    goOn();
    await server.close();
  });

  it('a cancellation is heard', async () => {
    const { server, send, goOn, _meta, reasons } = await openSlowly();
    send({ id: 1, method: 'tools/call', params: { name: 'waits', arguments: {}, _meta } });
    await turn();
    send({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'y'.repeat(100_000) } });
    await turn();
    expect(reasons).toHaveLength(1);
    // What a client gives as its reason is shortened: it is held, and written to logs.
    expect(reasons[0]?.length).toBeLessThan(300);
    expect(reasons[0]).toContain('y'.repeat(200));
    goOn();
    await server.close();
  });
});

describe('a call that fails because its client is gone', () => {
  it('is not answered with an error', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    let text = '';
    output.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    const fails = tool('fails', { description: 'Fails as fetch does' }, (_input: undefined, context: McpContext) => {
      return new Promise<string>((_resolve, reject) =>
        context.signal.addEventListener('abort', () => reject(context.signal.reason as Error)),
      );
    });
    const server = createServer({ name: 'left', version: '1.0.0', logger: false, features: [fails] });
    await server.listen(new StdioTransport({ input, output }));
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'fails', arguments: {}, _meta } };
    input.write(`${JSON.stringify(call)}\n`);
    await turn();
    input.end();
    await turn();
    await server.close();
    expect(text).not.toContain('"id":7');
  });
});
