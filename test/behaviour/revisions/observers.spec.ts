/** What observers see of a server, and that they change nothing. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import {
  Caller,
  Denial,
  Feature,
  McpContext,
  RateLimit,
  Tool,
  ToolFailure,
  UseGuards,
  createServer,
  type Guard,
  type ObservedRequest,
  type Observer,
  type RequestOutcome,
  type ServerOptions,
} from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { MemoryStores, type Stores } from '@sigil-mcp/core/stores';
import { connect } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { IsBoolean, IsInt } from 'class-validator';
import { serve } from '../http/http-server';

class Amount {
  @IsInt() amount!: number;
}
class Yes {
  @IsBoolean() yes!: boolean;
}
class Closed implements Guard {
  allows(): Denial {
    return new Denial('Closed.');
  }
}

const storage = new AsyncLocalStorage<string>();
let waiting: (() => void) | undefined;

@Feature()
class Bank {
  @Tool('Pays') pay({ amount }: Amount): string {
    return `Paid ${amount} in ${storage.getStore() ?? 'nothing'}.`;
  }
  @Tool('Fails') fail(): never {
    throw new ToolFailure('No money.');
  }
  @Tool('Is closed') @UseGuards(Closed) closed(): void {}
  @Tool('Asks') async ask(context: McpContext): Promise<string> {
    return (await context.elicit(Yes, 'Sure?')).action;
  }
  @Tool('Waits') async wait(context: McpContext): Promise<void> {
    waiting?.();
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
  }
}

interface Seen {
  readonly method: string;
  readonly steps: string[];
  outcome?: RequestOutcome;
  duration?: number;
}

function watch(): { readonly seen: Seen[]; readonly notices: string[]; readonly observer: Observer } {
  const seen: Seen[] = [];
  const notices: string[] = [];
  const observer: Observer = {
    requestStarted({ method }) {
      const one: Seen = { method, steps: [] };
      seen.push(one);
      return {
        run: (next) => storage.run(method, next),
        opened: ({ entry }) => void one.steps.push(`opened ${entry?.key ?? ''}`.trim()),
        judged: (guard, verdict) => void one.steps.push(`${guard}: ${verdict instanceof Denial ? 'denial' : verdict}`),
        asked({ method: question }) {
          one.steps.push(question);
          return () => void one.steps.push('heard');
        },
        ended: (outcome, duration) => void Object.assign(one, { outcome, duration }),
      };
    },
    notificationReceived: ({ method }) => void notices.push(method),
  };
  return { seen, notices, observer };
}

const serverOf = (options: Partial<ServerOptions>) =>
  createServer({ name: 'bank', version: '1.0.0', features: [Bank], logger: false, ...options });

const last = (seen: readonly Seen[], method: string): Seen => seen.filter((one) => one.method === method).at(-1)!;

eachRevision(
  'see each request from its start to its end, also those that interceptors do not see',
  async ({ connect: open }) => {
    const { seen, observer } = watch();
    const intercepted: string[] = [];
    const server = serverOf({
      observers: [observer],
      interceptors: [{ intercept: (call, next) => (intercepted.push(call.method), next()) }],
    });
    const client = await open(server);
    const call = () => last(seen, 'tools/call');
    const before = intercepted.length;
    expect(await client.callTool('pay', { amount: 3 })).toMatchObject({ content: [{ text: 'Paid 3 in tools/call.' }] });
    expect(call()).toMatchObject({ steps: ['opened pay'], outcome: { kind: 'result', isError: false } });
    expect(call().duration).toBeGreaterThanOrEqual(0);
    await client.callTool('fail');
    expect(call().outcome).toMatchObject({
      kind: 'result',
      isError: true,
      result: { content: [{ text: 'No money.' }] },
    });
    await client.callTool('closed').catch(() => undefined);
    expect(call()).toMatchObject({
      steps: ['opened closed', 'Closed: denial'],
      outcome: { kind: 'error', code: -32600 },
    });
    await client.callTool('nobody').catch(() => undefined);
    expect(call()).toMatchObject({ steps: ['opened'], outcome: { kind: 'error', code: -32602 } });
    await client.callTool('pay', { amount: 'much' }).catch(() => undefined);
    expect(['result', 'error']).toContain(call().outcome?.kind);
    expect(intercepted.slice(before)).toHaveLength(5);
    await client.request('tools/call', { name: 7 }).catch(() => undefined);
    expect(call()).toMatchObject({ steps: [], outcome: { kind: 'error', code: -32602 } });
    await client.request('no/such').catch(() => undefined);
    expect(last(seen, 'no/such')).toMatchObject({ steps: [], outcome: { kind: 'error', code: -32601 } });
    expect(intercepted.slice(before)).toHaveLength(5);
    await server.close();
  },
);

eachRevision(
  'see questions and their answers',
  async ({ revision, connect: open }) => {
    const { seen, observer } = watch();
    const server = serverOf({ observers: [observer] });
    const client = await open(server, { answers: () => ({ action: 'accept', content: { yes: true } }) });
    expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'accept' }] });
    const calls = seen.filter(({ method }) => method === 'tools/call');
    for (const { steps } of calls) expect(steps).toEqual(['opened ask', 'elicitation/create', 'heard']);
    const kinds = calls.map(({ outcome }) => outcome?.kind);
    expect(kinds).toEqual(revision < '2026-07-28' ? ['result'] : ['question', 'result']);
    await server.close();
  },
  { since: '2025-06-18' },
);

eachRevision('see cancelled requests, refusals by limits, and notifications', async ({ connect: open }) => {
  const { seen, notices, observer } = watch();
  const server = serverOf({ observers: [observer], limits: { callsPerClient: 1 } });
  const client = await open(server);
  const begun = new Promise<void>((resolve) => (waiting = resolve));
  const { id, result } = client.start('tools/call', { name: 'wait', arguments: {} });
  await begun;
  const first = last(seen, 'tools/call');
  await client.callTool('fail').catch(() => undefined);
  expect(last(seen, 'tools/call').outcome).toMatchObject({ kind: 'error', error: expect.any(Denial) as unknown });
  client.cancel(id);
  await result.catch(() => undefined);
  expect(first.outcome).toEqual({ kind: 'cancelled' });
  expect(notices).toContain('notifications/cancelled');
  await server.close();
});

it('see sessions, texts that cannot be read, and commands of stores', async () => {
  const seen: string[] = [];
  const observer: Observer = {
    messageUnreadable: ({ code }) => void seen.push(`unreadable: ${code}`),
    sessionStarted({ revision, client: { name } }) {
      seen.push(`${name} speaks ${revision}`);
      return () => void seen.push(`${name} left`);
    },
    storeUsed: ({ store, command, error }) =>
      void seen.push(`${store}.${command}${error === undefined ? '' : ' failed'}`),
  };
  const stores = new MemoryStores();
  const server = serverOf({ observers: [observer], stores, requestState: { secrets: ['x'.repeat(40)] } });
  const client = await connect(server, { revision: '2025-11-25' });
  client.send('{"jsonrpc":');
  await client.callTool('pay', { amount: 1 });
  await client.close();
  expect(seen).toContain('bus.join');
  expect(seen).toEqual(
    expect.arrayContaining(['sigil-testing speaks 2025-11-25', 'unreadable: -32700', 'sigil-testing left']),
  );
  const { sessions, streams, bus } = stores;
  const rates = { take: () => Promise.reject(new Error('away')) };
  const broken: Stores = { sessions, streams, bus, rates, close: () => undefined };
  const limited = serverOf({
    observers: [observer],
    stores: broken,
    guards: [RateLimit({ calls: 9, per: 'minute', name: 'bank' })],
    requestState: { secrets: ['x'.repeat(40)] },
  });
  const other = await connect(limited, { as: { id: 'ada' } });
  expect(await other.callTool('pay', { amount: 1 })).toMatchObject({ isError: false });
  expect(seen).toContain('rates.take failed');
  await Promise.all([server.close(), limited.close()]);
});

it('see what a pipe refuses before it is a request, with the limit', async () => {
  const seen: unknown[] = [];
  const observer: Observer = {
    requestStarted: ({ method }) => void seen.push(method),
    messageUnreadable: ({ code, limit }) => void seen.push([code, limit]),
    requestRefused: ({ status, code, limit, caller }) => void seen.push([status, code, limit, caller.id]),
  };
  const input = new PassThrough();
  const output = new PassThrough();
  const server = serverOf({ observers: [observer], limits: { clientFacts: 500, heldPerClient: 10_000 } });
  await server.listen(new StdioTransport({ input, output, maxLineBytes: 20_000, caller: new Caller({ id: 'ada' }) }));
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const say = async (message: object): Promise<unknown> => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })}\n`);
    const { value } = (await lines.next()) as { value: string };
    return JSON.parse(value);
  };
  const hello = (name: string, more = {}): object => ({
    method: 'initialize',
    params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name, version: '1' }, ...more },
  });
  expect(await say({ method: 'ping', params: { text: 'x'.repeat(20_000) } })).toMatchObject({
    error: { code: -32600 },
  });
  expect(await say(hello('x'.repeat(1000)))).toMatchObject({ error: { code: -32602 } });
  expect(await say(hello('test'))).toMatchObject({ result: {} });
  input.write(`[${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(15_000) } })}]\n`);
  expect(JSON.parse(((await lines.next()) as { value: string }).value)).toMatchObject({ error: { code: -32603 } });
  expect(seen).toEqual([
    [-32600, 'maxLineBytes'],
    'initialize',
    'initialize',
    [undefined, -32603, 'limits.heldPerClient', 'ada'],
  ]);
  await server.close();
});

it('see requests over HTTP, with the address and the headers of their client', async () => {
  const started: unknown[] = [];
  const open = await serve({
    features: [Bank],
    observers: [{ requestStarted: (request) => void started.push(request) }],
  });
  await open.initialize();
  expect(started).toMatchObject([
    { method: 'initialize', address: '127.0.0.1', headers: { 'content-type': 'application/json' } },
  ]);
  await open.close();
});

/** An observer that counts the rounds of a call in its notes. */
function counting(name: string): { readonly found: (string | undefined)[]; readonly observer: Observer } {
  const found: (string | undefined)[] = [];
  const observer: Observer = {
    name,
    requestStarted({ method, notes }) {
      if (method !== 'tools/call') return undefined;
      found.push(notes[name]);
      return { note: () => `${Number(notes[name] ?? 0) + 1}` };
    },
  };
  return { found, observer };
}

eachRevision(
  'find what they noted in the request before, and nobody else does',
  async ({ connect: open, revision }) => {
    const [one, other] = [counting('one'), counting('other')];
    const silent: Observer = { name: 'silent', requestStarted: () => ({ note: () => undefined }) };
    const client = await open(serverOf({ observers: [one.observer, silent, other.observer] }), {
      answers: () => ({ action: 'accept', content: { yes: true } }),
    });
    const asks = revision !== '2024-11-05' && revision !== '2025-03-26';
    if (asks) expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'accept' }] });
    await client.callTool('pay', { amount: 1 });
    // Clients with a handshake answer a question that waits for them.
    const found = revision === '2026-07-28' ? [undefined, '1', undefined] : asks ? [undefined, undefined] : [undefined];
    expect(one.found).toEqual(found);
    expect(other.found).toEqual(found);
  },
);

it('find no notes in a state that nobody has sealed', async () => {
  const { found, observer } = counting('one');
  const client = await connect(serverOf({ observers: [observer] }), { revision: '2026-07-28' });
  for (const requestState of ['forged', 'A'.repeat(300_000), 7])
    await client.request('tools/call', { name: 'ask', requestState }).catch(() => undefined);
  expect(found).toEqual([undefined, undefined, undefined]);
});

eachRevision(
  'add to the _meta of questions that are sent as requests',
  async ({ connect: open, revision }) => {
    const asked: unknown[] = [];
    const trace: Observer = {
      requestStarted: () => ({ asked: ({ meta }) => void (meta && (meta['traceparent'] = '00-abc-def-01')) }),
    };
    const client = await open(serverOf({ observers: [trace] }), {
      answers: ({ params }) => (asked.push(params), { action: 'decline' }),
    });
    await client.callTool('ask');
    expect(asked).toEqual([
      revision === '2026-07-28'
        ? expect.not.objectContaining({ _meta: expect.anything() as unknown })
        : expect.objectContaining({ _meta: { traceparent: '00-abc-def-01' } }),
    ]);
  },
  { since: '2025-06-18' },
);

eachRevision(
  'keep no question and no call from its end by what they add or note',
  async ({ connect: open }) => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const broken: Observer = {
      name: 'broken',
      requestStarted: () => ({
        asked: ({ meta }) => void Object.assign(meta ?? {}, { circular, big: 10n }),
        note: () => 'x'.repeat(100_000),
      }),
    };
    const sound = counting('sound');
    const client = await open(serverOf({ observers: [broken, sound.observer] }), {
      answers: ({ params }) => {
        expect(params).not.toHaveProperty('_meta');
        return { action: 'decline' };
      },
    });
    expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'decline' }] });
    expect(sound.found.slice(1)).toEqual(sound.found.slice(1).map(() => '1'));
  },
  { since: '2025-06-18' },
);

it('see over which connection a request comes, and what its session has in common', async () => {
  const started: ObservedRequest[] = [];
  const observers: Observer[] = [{ requestStarted: (request) => void started.push(request) }];
  const open = await serve({ features: [Bank], observers });
  const [one, other] = [await open.initialize(), await open.initialize()];
  const list = (headers: Record<string, string>) => open.post({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers);
  await list(one);
  const sessions = started.map(({ session }) => session);
  expect(started.map(({ network }) => network)).toEqual(Array(3).fill({ transport: 'tcp', protocol: 'http' }));
  expect(sessions).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f]{16}$/)));
  expect(sessions[2]).toBe(sessions[0]);
  expect(sessions[1]).not.toBe(sessions[0]);
  await list(other);
  await list(one);
  expect(started.at(-1)?.session).toBe(sessions[2]);
  expect(started.at(-2)?.session).not.toBe(sessions[2]);
  await open.close();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = serverOf({ observers });
  await server.listen(new StdioTransport({ input, output }));
  input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await once(output, 'data');
  expect(started.at(-1)).toMatchObject({ network: { transport: 'pipe' }, session: undefined, isBackground: false });
  await server.close();
});

it('harm nobody when they throw, and are reported once', async () => {
  const lines: string[] = [];
  const log = (_fields: object, message: string): void => void lines.push(message);
  const fail = (): never => {
    throw new Error('broken observer');
  };
  const broken: Observer = {
    requestStarted: () => ({ run: fail, opened: fail, judged: fail, asked: fail, ended: fail }),
    notificationReceived: fail,
  };
  const late: Observer = {
    requestStarted: () => ({
      run(next) {
        next();
        return fail();
      },
    }),
  };
  const { seen, observer } = watch();
  const logger = { debug: log, info: log, warn: log, error: log };
  const server = serverOf({ observers: [broken, late, observer], logger });
  const client = await connect(server);
  expect(await client.callTool('pay', { amount: 1 })).toMatchObject({ content: [{ text: 'Paid 1 in tools/call.' }] });
  expect(last(seen, 'tools/call').outcome).toMatchObject({ kind: 'result', isError: false });
  expect(lines.filter((line) => line.startsWith('An observer failed'))).toHaveLength(2);
  await server.close();
});
