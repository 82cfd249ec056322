/** What one client may make a server hold, on every revision: beyond it requests are refused, and the refusal names its limit. */
import {
  Complete,
  createServer,
  Feature,
  McpContext,
  MemoryTransport,
  Prompt,
  RateLimit,
  Resource,
  Roles,
  Tool,
  UseGuards,
  tool,
  type Guard,
  type Interceptor,
  type Server,
  type ServerLimits,
  type ServerOptions,
} from '@sigil-mcp/core';
import { ManualClock, type TestClient } from '@sigil-mcp/testing';
import { turn } from '../../support/turn';
import { Patience, letGo } from './calls';
import { eachRevision } from './checked';

const NEWEST = '2026-07-28';
const LAST_HANDSHAKE = '2025-11-25';
const BATCHES = '2025-03-26';

@Feature()
class Desk {
  static running = 0;
  static most = 0;
  static readonly order: string[] = [];
  /** Ends the call of `single` that was told to stop. */
  static finish = (): void => undefined;

  @Tool('Says how many ran at the same time', { concurrency: 2 })
  async counted(): Promise<string> {
    Desk.most = Math.max(Desk.most, ++Desk.running);
    await turn();
    Desk.running--;
    return String(Desk.most);
  }

  @Tool('One at a time', { concurrency: 1, timeout: 200 })
  async single(context: McpContext): Promise<string> {
    const { name } = context.request.params as { name: string };
    Desk.order.push(`${name} ${context.caller.id}`);
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    await new Promise<void>((resolve) => (Desk.finish = resolve));
    return 'over';
  }

  @Tool('Thrown out of, at once', { concurrency: 1 })
  fails(): string {
    throw new Error('at once');
  }

  @UseGuards(RateLimit({ calls: 2, per: 'minute' }))
  @Tool('Twice a minute')
  rare(): string {
    return 'rare';
  }

  @UseGuards(RateLimit({ calls: 1, per: 50 }))
  @Tool('Once in 50 milliseconds')
  soonAgain(): string {
    return 'again';
  }

  @Tool('Tells its progress a thousand times')
  async countdown(context: McpContext): Promise<string> {
    for (let step = 1; step <= 1000; step++) await context.progress(step, 1000);
    return 'done';
  }

  @Resource('desk://drawers/{number}')
  drawer(): string {
    return 'paper';
  }

  @Prompt('Writes about a topic')
  letter(): string {
    return 'Dear';
  }

  @Complete('number', 'drawer')
  numbers(_prefix: string): string[] {
    return ['1', '2'];
  }
}

const serverWith = (limits: ServerLimits, options: Partial<ServerOptions> = {}): Server =>
  createServer({ name: 'limits', version: '1.0.0', features: [Patience, Desk], logger: false, limits, ...options });
const refusedBy = (limit: string, data: object = { retryAfter: 1 }) => ({
  code: -32603,
  message: expect.stringContaining(`(limits.${limit})`) as string,
  data,
});
const waitFor = (client: TestClient, count: number): Promise<unknown>[] =>
  Array.from({ length: count }, () => client.callTool('wait'));

afterEach(() => {
  letGo();
  Desk.running = Desk.most = 0;
  Desk.order.length = 0;
});

describe('calls at the same time', () => {
  eachRevision('have a limit for each client; those of others are not touched [TOOL-026]', async ({ connect }) => {
    const server = serverWith({ callsPerClient: 3 });
    const [client, other] = [await connect(server), await connect(server)];
    const running = waitFor(client, 3);
    await expect(client.callTool('wait')).rejects.toMatchObject(refusedBy('callsPerClient'));
    await expect(client.listTools()).rejects.toMatchObject(refusedBy('callsPerClient'));
    expect((await other.callTool('rare')).content).toEqual([{ type: 'text', text: 'rare' }]);
    letGo();
    await Promise.all(running);
    expect((await client.callTool('rare')).isError).toBe(false);
  });

  eachRevision(
    'have a limit for all clients, and what costs nothing is answered beyond it',
    async ({ connect, revision }) => {
      const server = serverWith({ calls: 4, callsPerClient: 4 });
      const [client, other] = [await connect(server), await connect(server)];
      const running = [...waitFor(client, 2), ...waitFor(other, 2)];
      await expect(other.callTool('rare')).rejects.toMatchObject(refusedBy('calls'));
      await (revision === NEWEST ? other.request('server/discover') : other.request('ping'));
      letGo();
      await Promise.all(running);
      expect((await other.callTool('rare')).isError).toBe(false);
    },
  );

  eachRevision('are counted down when they are cancelled and their handlers have ended', async ({ connect }) => {
    const client = await connect(serverWith({ callsPerClient: 1, calls: 1 }));
    for (let round = 0; round < 5; round++) {
      const { id, result } = client.start('tools/call', { name: 'reject', arguments: {} });
      result.catch(() => undefined);
      client.cancel(id);
      await turn();
    }
    expect((await client.callTool('rare')).isError).toBe(false);
  });

  eachRevision('have ids and progress tokens of a length that a server can hold', async ({ connect }) => {
    const client = await connect(serverWith({}));
    const call = (progressToken: string): Promise<unknown> =>
      client.request('tools/call', { name: 'rare', _meta: { progressToken } });
    await expect(call('x'.repeat(513))).rejects.toMatchObject({ code: -32602 });
    expect(await call('x'.repeat(512))).toMatchObject({ content: [{ text: 'rare' }] });
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', LAST_HANDSHAKE])(
    'that wait for the answer to initialize have a limit, too (%s)',
    async (revision) => {
      let goOn = (): void => undefined;
      const opened = new Promise<void>((resolve) => (goOn = resolve));
      const slow: Interceptor = {
        intercept: async ({ method }, next) => {
          if (method === 'initialize') await opened;
          return next();
        },
      };
      const server = serverWith({ callsPerClient: 3 }, { interceptors: [slow] });
      const transport = new MemoryTransport();
      await server.listen(transport);
      const heard: { readonly id: number; readonly error?: object }[] = [];
      const pipe = transport.connect((text) => void heard.push(JSON.parse(text) as (typeof heard)[number]));
      const send = (id: number, method: string, params: object): void =>
        pipe.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      const clientInfo = { name: 'hasty', version: '1' };
      send(0, 'initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
      for (let id = 1; id <= 20; id += 1) send(id, 'ping', {});
      // What is refused is refused at once; what waits is answered once the handshake is.
      expect(heard.map(({ id, error }) => [id, error !== undefined])).toEqual(
        Array.from({ length: 17 }, (_, index) => [index + 4, true]),
      );
      goOn();
      await turn();
      expect(heard.slice(17).map(({ id, error }) => [id, error])).toEqual([0, 1, 2, 3].map((id) => [id, undefined]));
      await server.close();
    },
  );

  eachRevision(
    'do not count streams of changes, which are no work',
    async ({ connect }) => {
      const client = await connect(serverWith({ calls: 1 }));
      for (let round = 0; round < 3; round++)
        client.start('subscriptions/listen', { notifications: {} }).result.catch(() => undefined);
      expect((await client.callTool('counted')).isError).toBe(false);
    },
    { since: NEWEST },
  );
});

describe('a batch', () => {
  eachRevision(
    'runs so many of its requests at the same time, and answers all of them in their order',
    async ({ connect }) => {
      const client = await connect(serverWith({ batchCalls: 3 }));
      const batch = Array.from({ length: 12 }, (_, id) => ({
        jsonrpc: '2.0',
        id: `b${id}`,
        method: 'tools/call',
        params: { name: 'wait', arguments: {} },
      }));
      client.send(JSON.stringify(batch));
      let most = 0;
      while (!client.traffic.some(({ from, text }) => from === 'server' && text.startsWith('['))) {
        await turn();
        most = Math.max(most, Patience.waiting.length);
        letGo();
      }
      expect(most).toBe(3);
      const answer = client.traffic.at(-1)?.text ?? '';
      expect((JSON.parse(answer) as { id: string }[]).map(({ id }) => id)).toEqual(batch.map(({ id }) => id));
    },
    { since: BATCHES, until: BATCHES },
  );

  eachRevision(
    'does not begin what its client is not there for any more',
    async ({ connect }) => {
      const client = await connect(serverWith({ batchCalls: 1 }));
      const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'wait', arguments: {} } };
      client.send(JSON.stringify([1, 2, 3].map((id) => ({ ...call, id: `x${id}` }))));
      await turn();
      const begun = Patience.waiting.length;
      await client.close();
      await turn();
      expect([begun, Patience.waiting.length]).toEqual([1, 1]);
    },
    { since: BATCHES, until: BATCHES },
  );
});

describe('subscriptions', () => {
  const uri = (number: number): string => `desk://drawers/${number}`;

  eachRevision(
    'have a limit for each client and for all, and room again when they end [SUB-001]',
    async ({ connect }) => {
      const server = serverWith({ subscriptionsPerClient: 2, subscriptions: 3 });
      const [client, other] = [await connect(server), await connect(server)];
      for (const number of [1, 2, 1]) await client.request('resources/subscribe', { uri: uri(number) });
      const third = client.request('resources/subscribe', { uri: uri(3) });
      await expect(third).rejects.toMatchObject(refusedBy('subscriptionsPerClient'));
      await other.request('resources/subscribe', { uri: uri(1) });
      const fourth = other.request('resources/subscribe', { uri: uri(2) });
      await expect(fourth).rejects.toMatchObject(refusedBy('subscriptions'));
      await client.request('resources/unsubscribe', { uri: uri(2) });
      await other.request('resources/subscribe', { uri: uri(2) });
      await other.close();
      await client.request('resources/subscribe', { uri: uri(3) });
    },
    { until: LAST_HANDSHAKE },
  );

  eachRevision(
    'that are refused, cancelled or unknown take no room',
    async ({ connect }) => {
      const guard = {
        allows: (_caller: unknown, { kind }: { kind: string }) => turn().then(() => kind !== 'resource-template'),
      };
      const client = await connect(serverWith({ subscriptionsPerClient: 1 }, { guards: [guard] }));
      for (let round = 0; round < 5; round++) {
        await expect(client.request('resources/subscribe', { uri: uri(round) })).rejects.toMatchObject({
          code: -32002,
        });
        const { id, result } = client.start('resources/subscribe', { uri: uri(round) });
        result.catch(() => undefined);
        client.cancel(id);
        await turn();
      }
    },
    { until: LAST_HANDSHAKE },
  );

  eachRevision(
    'have URIs of a bounded length',
    async ({ connect }) => {
      const client = await connect(serverWith({ subscriptionUri: 30 }));
      await client.request('resources/subscribe', { uri: `desk://drawers/${'1'.repeat(15)}` });
      const long = client.request('resources/subscribe', { uri: `desk://drawers/${'1'.repeat(16)}` });
      await expect(long).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('limits.subscriptionUri'),
      });
    },
    { until: LAST_HANDSHAKE },
  );

  eachRevision(
    'of a stream count together, and are given back with it [SUB-003]',
    async ({ connect }) => {
      const client = await connect(serverWith({ subscriptionsPerClient: 3, subscriptionUri: 30 }));
      const listen = (...numbers: number[]) =>
        client.start('subscriptions/listen', { notifications: { resourceSubscriptions: numbers.map(uri) } });
      await expect(listen(1, 2, 3, 4).result).rejects.toMatchObject(refusedBy('subscriptionsPerClient'));
      const first = listen(1, 2, 2);
      first.result.catch(() => undefined);
      await expect(listen(3, 4).result).rejects.toMatchObject(refusedBy('subscriptionsPerClient'));
      client.cancel(first.id);
      await turn();
      listen(3, 4, 5).result.catch(() => undefined);
      await turn();
      expect(client.notifications('notifications/subscriptions/acknowledged')).toHaveLength(2);
    },
    { since: NEWEST },
  );
});

describe('a tool with a concurrency', () => {
  eachRevision('runs so many calls at the same time; the others wait in line [TOOL-026]', async ({ connect }) => {
    const server = serverWith({});
    const clients = [await connect(server), await connect(server)];
    const calls = Array.from({ length: 9 }, (_, index) => clients[index % 2]!.callTool('counted'));
    const texts = (await Promise.all(calls)).map(({ content }) => (content[0] as { text: string }).text);
    expect([texts.at(-1), Desk.most]).toEqual(['2', 2]);
  });

  eachRevision(
    'tells who waits for as long as it may run that it is busy, and whoever is cancelled leaves the line',
    async ({ connect }) => {
      const clock = new ManualClock();
      const client = await connect(serverWith({}, { clock }));
      const first = client.start('tools/call', { name: 'single', arguments: {} });
      const second = client.start('tools/call', { name: 'single', arguments: {} });
      const third = client.callTool('single');
      second.result.catch(() => undefined);
      client.cancel(second.id);
      await clock.advance(200);
      const late = { content: [{ type: 'text', text: 'The tool single timed out after 200 ms.' }], isError: true };
      const busy = 'The tool single is busy: this call has waited for 200 ms while others ran. Call it again later.';
      expect(await third).toMatchObject({ content: [{ type: 'text', text: busy }], isError: true });
      expect(await first.result).toMatchObject(late);
      expect(Desk.order).toHaveLength(1);
      Desk.finish();
      await turn();
      const next = client.start('tools/call', { name: 'single', arguments: {} });
      next.result.catch(() => undefined);
      await turn();
      expect(Desk.order).toHaveLength(2);
      client.cancel(next.id);
    },
  );

  eachRevision('gives its place back when a call fails', async ({ connect }) => {
    const client = await connect(serverWith({}));
    for (let round = 0; round < 3; round++) expect((await client.callTool('fails')).isError).toBe(true);
  });

  it.each([0, -1, 1.5, Number.NaN, '2' as unknown as number])('is a definition error for %p', (concurrency) => {
    class Wrong {
      run(): string {
        return '';
      }
    }
    Feature()(Wrong);
    Tool('Runs', { concurrency })(Wrong.prototype, 'run', Object.getOwnPropertyDescriptor(Wrong.prototype, 'run')!);
    expect(() => createServer({ name: 'x', version: '1', features: [Wrong] })).toThrow('SIGIL_CONCURRENCY');
  });
});

describe('a rate', () => {
  eachRevision(
    'is counted for each connection if the caller is unknown, and says when to try again [TOOL-026]',
    async ({ connect }) => {
      const server = serverWith({});
      const [client, other] = [await connect(server), await connect(server)];
      for (const one of [client, client, other]) expect((await one.callTool('rare')).isError).toBe(false);
      await expect(client.callTool('rare')).rejects.toMatchObject({
        code: -32600,
        message: 'At most 2 requests of this kind per minute. Try again in 30 s.',
        data: { retryAfter: 30 },
      });
      expect((await other.callTool('rare')).isError).toBe(false);
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('rare');
    },
  );

  eachRevision('is there again after its time', async ({ connect }) => {
    const clock = new ManualClock();
    const client = await connect(serverWith({}, { clock }));
    await client.callTool('soonAgain');
    await expect(client.callTool('soonAgain')).rejects.toMatchObject({ data: { retryAfter: 1 } });
    await clock.advance(50);
    await client.callTool('soonAgain');
  });

  eachRevision('is kept for all entries of a server that has it as a guard', async ({ connect }) => {
    const client = await connect(serverWith({}, { guards: [RateLimit({ calls: 2, per: 'hour', by: 'session' })] }));
    await client.callTool('counted');
    await client.readResource('desk://drawers/1');
    await expect(client.getPrompt('letter')).rejects.toMatchObject({ message: expect.stringContaining('per hour') });
  });

  eachRevision('is not kept for what a guard behind it hides: nothing tells that it is there', async ({ connect }) => {
    const limited = (): Guard => RateLimit({ calls: 1, per: 'hour' });
    const hidden = (...guards: Guard[]) =>
      tool('hidden', { description: 'For members', guards: [...guards, Roles('member')] }, () => 'seen');
    const servers = [
      serverWith({}, { features: [hidden(limited())] }),
      serverWith({}, { features: [hidden()], guards: [limited()] }),
    ];
    for (const server of servers) {
      const client = await connect(server, { as: 'stranger' });
      for (let count = 0; count < 3; count++)
        await expect(client.callTool('hidden')).rejects.toMatchObject({ message: 'Unknown tool: hidden' });
      const member = await connect(server, { as: { id: 'ada', roles: ['member'] } });
      expect((await member.callTool('hidden')).isError).toBe(false);
      await expect(member.callTool('hidden')).rejects.toMatchObject({ message: expect.stringContaining('per hour') });
    }
  });

  eachRevision('of completions is one of the server [COMPL-006]', async ({ connect }) => {
    const ask = (client: TestClient) =>
      client.request('completion/complete', {
        ref: { type: 'ref/resource', uri: 'desk://drawers/{number}' },
        argument: { name: 'number', value: '' },
      });
    const server = serverWith({ completions: { calls: 3, per: 'minute' } });
    const [client, other] = [await connect(server), await connect(server)];
    for (const one of [client, client, client, other]) await ask(one);
    await expect(ask(client)).rejects.toMatchObject({ code: -32600, data: { retryAfter: 20 } });
    const free = await connect(serverWith({ completions: false }));
    for (let count = 0; count < 300; count++) await ask(free);
  });

  eachRevision(
    'of progress is one of the call: what comes in between is left out, the end is not [PROG-004]',
    async ({ connect }) => {
      const client = await connect(serverWith({ progressPerSecond: 20 }));
      await client.request('tools/call', { name: 'countdown', arguments: {}, _meta: { progressToken: 1 } });
      const told = client
        .notifications('notifications/progress')
        .map(({ params }) => (params as { progress: number }).progress);
      expect(told.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
      expect(told.at(-1)).toBe(1000);
      expect(told.length).toBeLessThan(200);
    },
  );
});

describe('limits that are none', () => {
  it.each<[string, unknown, string]>([
    ['calls', 0, 'the limit calls is 0.'],
    ['calls', -5, 'the limit calls is -5.'],
    ['nesting', 1.5, 'the limit nesting is 1.5.'],
    ['unread', '12', 'the limit unread is "12".'],
    ['unread', Number.NaN, 'the limit unread is NaN.'],
    ['cals', 5, 'there is no limit called cals.'],
    ['completions', { calls: 0, per: 'second' }, 'the rate completions is {"calls":0,"per":"second"}.'],
    ['completions', { calls: 1, per: 'day' }, 'the rate completions is {"calls":1,"per":"day"}.'],
  ])('are definition errors: %s %j', (limit, value, sentence) => {
    expect(() => createServer({ name: 'x', version: '1', limits: { [limit]: value } })).toThrow(sentence);
  });

  it('may be Infinity', () => {
    const limits = { calls: Infinity, callsPerClient: Infinity, nesting: Infinity, progressPerSecond: Infinity };
    expect(() => createServer({ name: 'x', version: '1', limits })).not.toThrow();
  });
});
