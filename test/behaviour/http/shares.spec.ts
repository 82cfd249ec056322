/** Who counts as one client over HTTP: a user in all their sessions, else an address, which a trusted proxy may tell. */
import { connect } from 'node:net';
import {
  Feature,
  McpContext,
  RateLimit,
  Resource,
  Tool,
  UseGuards,
  createServer,
  type ServerLimits,
} from '@sigil-mcp/core';
import { mcpPlugin, type HttpTransportOptions } from '@sigil-mcp/fastify';
import Fastify from 'fastify';
import { as, believing, request, serve, type HttpAnswer, type OpenServer, describeWithTransport } from './http-server';
import { bytesOf, until } from './raw-request';
import { turn } from '../../support/turn';

const MEBIBYTE = 1024 * 1024;

const waiting: (() => void)[] = [];
let running = 0;

/** Anew for each test: whoever stands on the class keeps its rate. */
function desk() {
  @Feature()
  class Desk {
    @Tool('Waits until the test lets go')
    async wait(context: McpContext): Promise<string> {
      running++;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        context.signal.addEventListener('abort', () => resolve());
      });
      running--;
      return 'done';
    }

    @Resource('a:{id}', { description: 'Something to subscribe to' })
    something(): string {
      return 'something';
    }

    @Tool('Returns more than a connection takes')
    big(): string {
      return 'y'.repeat(32 * MEBIBYTE);
    }

    @Tool('Is quick')
    quick(): string {
      return 'quick';
    }

    @UseGuards(RateLimit({ calls: 1, per: 'minute' }))
    @Tool('Once a minute for each user')
    rare(): string {
      return 'rare';
    }
  }
  return Desk;
}

type Headers = Record<string, string>;

const closing: (() => Promise<void>)[] = [];
let open: OpenServer;
const start = async (limits: ServerLimits, options: HttpTransportOptions = {}): Promise<void> => {
  running = 0;
  open = await serve({ features: [desk()], shutdownDeadline: 50, limits }, options);
  closing.push(() => open.close());
};
afterEach(async () => {
  release();
  for (const close of closing.splice(0)) await close();
});
const release = (): void => waiting.splice(0).forEach((resolve) => resolve());

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
const callAlone = (name: string, headers: Headers = {}): Promise<HttpAnswer> =>
  open.post(request(name, 'tools/call', { name, arguments: {}, _meta: META }), {
    ...HEADERS,
    'mcp-name': name,
    ...headers,
  });
const callIn = (session: Headers, name: string): Promise<HttpAnswer> =>
  open.post(request(name, 'tools/call', { name, arguments: {} }), session);
const openFor = async (who: Headers): Promise<Headers> => {
  const clientInfo = { name: 'test', version: '1' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { headers } = await open.post(request(0, 'initialize', hello), who);
  return { ...who, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
};

it.each([
  ['a user', as('ada')],
  ['an address', as('nobody')],
])('the calls of %s count together, in all sessions and without one [TOOL-026]', async (_what, who) => {
  await start({ callsPerClient: 2 }, { auth: believing });
  const sessions = [await openFor(who), await openFor(who), await openFor(who)] as const;
  const calls = [callIn(sessions[0], 'wait'), callIn(sessions[1], 'wait')];
  await until(() => running === 2);
  for (const refused of [
    await callIn(sessions[2], 'quick'),
    await callIn(sessions[0], 'quick'),
    await callAlone('quick', who),
  ]) {
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('(limits.callsPerClient)');
  }
  expect((await callAlone('quick', as('eve'))).status).toBe(200);
  release();
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  expect((await callIn(sessions[2], 'quick')).status).toBe(200);
});

it('streams of changes without a session, and what they subscribe to, have a limit for each client', async () => {
  await start({ callsPerClient: 2, subscriptionsPerClient: 3 }, { auth: believing });
  const listen = (who: Headers, ...uris: string[]): Promise<Response> =>
    fetch(open.url, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...who },
        ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      },
      body: JSON.stringify(
        request(1, 'subscriptions/listen', { notifications: { resourceSubscriptions: uris }, _meta: META }),
      ),
    });
  const streams = [await listen(as('nobody'), 'a:1', 'a:2')];
  const tooMany = await listen(as('nobody'), 'a:3', 'a:4');
  expect([tooMany.status, await tooMany.text()]).toEqual([
    503,
    expect.stringContaining('limits.subscriptionsPerClient'),
  ]);
  streams.push(await listen(as('nobody'), 'a:3'));
  const another = await listen(as('nobody'));
  expect([another.status, await another.text()]).toEqual([503, expect.stringContaining('limits.callsPerClient')]);
  expect((await callAlone('quick', as('nobody'))).status).toBe(200);
  streams.push(await listen(as('ada'), 'a:1'));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const stream of streams) await stream.body?.cancel();
  await until(async () => {
    const stream = await listen(as('nobody'), 'a:1', 'a:2', 'a:3');
    await stream.body?.cancel();
    return stream.status === 200;
  });
});

it('the calls of HTTP+SSE count with those of their client', async () => {
  await start({ callsPerClient: 2 }, { sse: true });
  const streams = await Promise.all([1, 2, 3].map(() => fetch(new URL('/sse', open.url))));
  const texts = await Promise.all(
    streams.map(async ({ body }) => {
      const reader = body!.getReader() as ReadableStreamDefaultReader<Uint8Array>;
      let heard = Buffer.from((await reader.read()).value ?? []).toString();
      const path = /data: (\S+)/.exec(heard)?.[1] ?? '';
      const send = (message: object): Promise<Response> =>
        fetch(new URL(path, open.url), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(message),
        });
      const clientInfo = { name: 'old', version: '1' };
      await send(request(0, 'initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo }));
      return {
        send,
        hears: async (what: string): Promise<void> => {
          while (!heard.includes(what)) heard += Buffer.from((await reader.read()).value ?? []).toString();
        },
      };
    }),
  );
  const [one, two, three] = texts as [(typeof texts)[0], (typeof texts)[0], (typeof texts)[0]];
  await one.send(request(1, 'tools/call', { name: 'wait', arguments: {} }));
  await two.send(request(1, 'tools/call', { name: 'wait', arguments: {} }));
  await until(() => running === 2);
  await three.send(request(1, 'tools/call', { name: 'quick', arguments: {} }));
  await three.hears('limits.callsPerClient');
  release();
  await one.hears('done');
  await two.hears('done');
  await three.send(request(2, 'tools/call', { name: 'quick', arguments: {} }));
  await three.hears('quick');
});

it('what a client runs in a session that it ends is not counted any more', async () => {
  await start({ callsPerClient: 1 });
  for (let round = 0; round < 3; round++) {
    const session = await openFor({});
    const call = callIn(session, 'wait');
    await until(() => running === 1);
    await fetch(open.url, { method: 'DELETE', headers: session });
    await call;
  }
  expect((await callAlone('quick')).status).toBe(200);
});

it('a rate for each user is one for each address where nobody has a name: a new session brings no other [TOOL-026]', async () => {
  await start({});
  expect((await callIn(await openFor({}), 'rare')).status).toBe(200);
  expect((await callIn(await openFor({}), 'rare')).status).toBe(429);
  expect((await callAlone('rare')).status).toBe(429);
});

describeWithTransport()('behind a proxy', () => {
  const rateOf = async (address: string): Promise<number> =>
    (await callAlone('rare', { 'x-forwarded-for': address })).status;

  it('clients have the addresses that a trusted one tells', async () => {
    await start({}, { trustProxy: ['loopback'] });
    expect([await rateOf('192.0.2.1'), await rateOf('192.0.2.1'), await rateOf('192.0.2.2')]).toEqual([200, 429, 200]);
    // What a client writes itself stands to the left of what the proxy has seen.
    expect(await rateOf('192.0.2.3, 192.0.2.2')).toBe(429);
  });

  it.each([
    ['with a port and without one', '192.0.2.7:4711', '192.0.2.7'],
    ['as IPv6 and as IPv4', '::ffff:192.0.2.8', '192.0.2.8'],
    ['in two spellings', '2001:DB8:0:0::1', '[2001:db8::1]:4711'],
    ['within one network of IPv6', '2001:db8:0:5::1', '2001:db8:0:5:ffff::2'],
  ])('one client is one client %s', async (_what, one, other) => {
    await start({}, { trustProxy: ['loopback'] });
    expect([await rateOf(one), await rateOf(other), await rateOf('2001:db8:1::1')]).toEqual([200, 429, 200]);
  });

  it.each([
    ['nobody is trusted', {}],
    ['others are trusted', { trustProxy: ['10.0.0.0/8'] }],
  ])('what a header tells is nothing where %s', async (_what, options) => {
    await start({}, options);
    expect([await rateOf('192.0.2.1'), await rateOf('192.0.2.2')]).toEqual([200, 429]);
  });
});

it('answers that hooks of the host send later count as unread like others', async () => {
  const app = Fastify();
  app.addHook('onSend', async (_request, _reply, payload) => {
    await turn();
    return payload;
  });
  const server = createServer({ name: 'hosted', version: '1.0.0', features: [desk()], logger: false });
  await app.register(mcpPlugin, { server, limits: { unreadPerClient: 4 * MEBIBYTE }, auth: believing });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { ...HEADERS, 'Mcp-Name': 'big', ...as('ada'), Connection: 'keep-alive' };
  const body = request(1, 'tools/call', { name: 'big', arguments: {}, _meta: META });
  const port = Number(new URL(origin).port);
  const bytes = bytesOf(port, { headers, body });
  const deaf = connect(port, '127.0.0.1', () => deaf.write(bytes));
  deaf.on('error', () => undefined).pause();
  closing.push(async () => {
    deaf.destroy();
    await app.close();
  });
  const quick = async (): Promise<number> => {
    const own = { ...HEADERS, 'mcp-name': 'quick', ...as('ada'), 'content-type': 'application/json' };
    const { status } = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: { ...own, accept: 'application/json, text/event-stream' },
      body: JSON.stringify(request(1, 'tools/call', { name: 'quick', arguments: {}, _meta: META })),
    });
    return status;
  };
  await until(async () => (await quick()) === 503);
  deaf.destroy();
  await until(async () => (await quick()) === 200);
});
