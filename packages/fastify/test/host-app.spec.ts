/** The plugin in an app that was there before it: what the app does stays as it was, with and without the plugin. */
import type { AddressInfo } from 'node:net';
import cors from '@fastify/cors';
import { createServer, Feature, Tool, type Server } from '@sigil-mcp/core';
import { mcpPlugin, type McpPluginOptions } from '@sigil-mcp/fastify';

/** Another copy of Fastify, as Nest brings one: the same names, and types that do not fit those of ours. */
interface OtherFastify {
  readonly version: string;
  register(plugin: (app: OtherFastify, options: McpPluginOptions) => Promise<void>, options: McpPluginOptions): void;
  addHook(name: 'onRequest', hook: (other: OtherFastify) => Promise<void>): OtherFastify;
  withTypeProvider(): never;
}

/** Compiles. */
export const registerElsewhere = (app: OtherFastify, server: McpPluginOptions['server']): void =>
  app.register(mcpPlugin, { server });
import Fastify, { type FastifyInstance } from 'fastify';
import { bytesOf, dial, isListening, readAnswer, until } from '../../../test/behaviour/http/raw-request';

@Feature()
class Clock {
  @Tool('Tells the time')
  now(): string {
    return 'now';
  }
}

const apps: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

const mcpServer = (name = 'clock'): Server =>
  createServer({ name, version: '1.0.0', logger: false, features: [Clock] });

/** An app with everything that a plugin could disturb. */
function hostApp(): FastifyInstance {
  const app = Fastify();
  apps.push(app);
  app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) =>
    done(null, String(body).split(',')),
  );
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-host', 'hooked'));
  app.addHook('onSend', async (_request, reply) => void reply.header('x-sent', 'yes'));
  app.setErrorHandler((error: Error, _request, reply) => reply.code(418).send({ teapot: error.message }));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ lost: true }));
  app.get('/hello', () => ({ hello: 'world' }));
  app.get('/broken', () => {
    throw new Error('broken');
  });
  app.post('/echo', ({ body }) => ({ body }));
  app.options('/hello', (_request, reply) => reply.header('allow', 'GET').send());
  return app;
}

const urlOf = (app: FastifyInstance): string => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return urlOf(app);
}

async function withPlugin(options: Partial<McpPluginOptions> = {}, app = hostApp()): Promise<string> {
  await app.register(mcpPlugin, { server: mcpServer(), ...options });
  return listen(app);
}

type Sent = readonly [method: string, path: string, headers?: Record<string, string>, body?: string];
const JSON_TYPE = { 'content-type': 'application/json' };
const PREFLIGHT = {
  origin: 'https://chat.example',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'x-own',
};
const REQUESTS: readonly Sent[] = [
  ['GET', '/hello'],
  ['HEAD', '/hello'],
  ['GET', '/hello/'],
  ['GET', '/broken'],
  ['GET', '/nowhere'],
  ['PUT', '/hello'],
  ['OPTIONS', '/hello'],
  ['OPTIONS', '/hello', PREFLIGHT],
  ['OPTIONS', '/nowhere', PREFLIGHT],
  ['OPTIONS', '/mcpx', PREFLIGHT],
  ['GET', '/hello', { origin: 'https://evil.example' }],
  ['GET', '/hello', { origin: 'https://chat.example' }],
  ['POST', '/echo', JSON_TYPE, '{"a":1}'],
  ['POST', '/echo', JSON_TYPE, '{"a":'],
  ['POST', '/echo', JSON_TYPE, ''],
  ['POST', '/echo', { 'content-type': 'text/csv' }, 'a,b'],
  ['POST', '/echo', { 'content-type': 'text/plain' }, 'text'],
  ['POST', '/echo', { 'content-type': 'image/png' }, 'x'],
  ['POST', '/echo', JSON_TYPE, `"${'x'.repeat(1024 * 1024)}"`],
  ['GET', '/messages'],
];

/** What a client sees of an answer, but for the time. */
async function see(url: string, [method, path, headers = {}, body]: Sent): Promise<unknown> {
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
  const seen = [...response.headers].filter(([name]) => !['date', 'keep-alive', 'connection'].includes(name));
  return {
    sent: [method, path, headers],
    status: response.status,
    headers: Object.fromEntries(seen),
    text: await response.text(),
  };
}
const seeAll = (url: string): Promise<unknown[]> => Promise.all(REQUESTS.map((sent) => see(url, sent)));

const NEWEST = '2026-07-28';
const list = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      ...JSON_TYPE,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': NEWEST,
      'mcp-method': 'server/discover',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'server/discover',
      params: {
        _meta: { 'io.modelcontextprotocol/protocolVersion': NEWEST, 'io.modelcontextprotocol/clientCapabilities': {} },
      },
    }),
  });

describe('an app with the plugin', () => {
  it.each<[string, Partial<McpPluginOptions>]>([
    ['as it is', {}],
    ['with origins', { allowedOrigins: ['https://chat.example'] }],
    ['with authentication', { auth: { verify: () => Promise.reject(new Error('nobody')) } }],
  ])('answers its own requests as it did before: %s', async (_what, options) => {
    expect(await seeAll(await withPlugin(options))).toEqual(await seeAll(await listen(hostApp())));
  });

  it('serves MCP, and answers its errors in JSON-RPC', async () => {
    const url = await withPlugin();
    expect((await list(`${url}/mcp`)).status).toBe(200);
    for (const [method, headers, status] of [
      ['PUT', {}, 405],
      ['POST', {}, 415],
      ['POST', JSON_TYPE, 406],
      ['GET', {}, 406],
    ] as const) {
      const response = await fetch(`${url}/mcp`, { method, headers: { accept: 'text/html', ...headers } });
      expect([method, response.status, await response.json()]).toMatchObject([
        method,
        status,
        { jsonrpc: '2.0', error: { code: -32600 } },
      ]);
    }
  });

  it('can have it under a prefix, with both of its transports', async () => {
    const app = hostApp();
    await app.register(mcpPlugin, { server: mcpServer(), sse: true, prefix: '/api' });
    const url = await listen(app);
    expect((await list(`${url}/api/mcp`)).status).toBe(200);
    expect((await fetch(`${url}/api/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/api/mcp`, { method: 'PUT' })).status).toBe(405);
    const stream = await fetch(`${url}/api/sse`, { headers: { accept: 'text/event-stream' } });
    const { value } = (await stream.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toMatch(/^event: endpoint\ndata: \/api\/messages\?sessionId=\S+\n\n$/);
  });

  it('can have it twice, with two servers that share nothing', async () => {
    const app = hostApp();
    const origins = { allowedOrigins: ['https://chat.example'] };
    await app.register(mcpPlugin, { server: mcpServer('one'), path: '/one', ...origins });
    await app.register(mcpPlugin, { server: mcpServer('two'), path: '/two', ...origins });
    const url = await listen(app);
    for (const name of ['one', 'two']) {
      expect(await (await list(`${url}/${name}`)).json()).toMatchObject({
        result: { _meta: { 'io.modelcontextprotocol/serverInfo': { name } } },
      });
    }
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('keeps its own probes', async () => {
    const app = hostApp();
    app.get('/healthz', () => 'mine');
    const url = await withPlugin({}, app);
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('mine');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('closes the server when it closes, also while a client does not read its stream', async () => {
    const app = hostApp();
    const server = mcpServer();
    await app.register(mcpPlugin, { server, sse: true });
    const url = await listen(app);
    const stream = await fetch(`${url}/sse`, { headers: { accept: 'text/event-stream' } });
    await app.close();
    expect(await stream.text()).toContain('event: endpoint');
    await expect(server.listen({ open: async () => undefined, close: async () => undefined })).rejects.toThrow(
      'closed',
    );
  });

  it('has no signal handlers of it', async () => {
    const before = [
      process.listenerCount('SIGTERM'),
      process.listenerCount('SIGINT'),
      process.listenerCount('uncaughtException'),
    ];
    await withPlugin();
    expect([
      process.listenerCount('SIGTERM'),
      process.listenerCount('SIGINT'),
      process.listenerCount('uncaughtException'),
    ]).toEqual(before);
  });
});

describe('an app with CORS of its own', () => {
  const OWN = {
    origin: ['https://own.example'],
    methods: ['PATCH'],
    allowedHeaders: ['x-own'],
    exposedHeaders: ['x-other'],
    credentials: true,
    maxAge: 5,
  };
  const ORIGINS = ['https://chat.example', 'https://own.example'];
  const withCors = async (order: 'before' | 'after', options: Partial<McpPluginOptions>): Promise<string> => {
    const app = hostApp();
    if (order === 'before') await app.register(cors, OWN);
    await app.register(mcpPlugin, { server: mcpServer(), ...options });
    if (order === 'after') await app.register(cors, OWN);
    return listen(app);
  };
  const without = async (): Promise<string> => {
    const app = hostApp();
    await app.register(cors, OWN);
    return listen(app);
  };
  const ask = (url: string, origin: string): Promise<Response> =>
    fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'mcp-param-region',
      },
    });

  it.each(['before', 'after'] as const)(
    'keeps it on its routes, and the plugin has its own: registered %s',
    async (order) => {
      const url = await withCors(order, { allowedOrigins: ORIGINS });
      expect(await seeAll(url)).toEqual(await seeAll(await without()));
      for (const origin of ORIGINS) {
        const { status, headers } = await ask(`${url}/mcp`, origin);
        expect([
          status,
          headers.get('access-control-allow-origin'),
          headers.get('access-control-allow-headers'),
        ]).toEqual([204, origin, 'mcp-param-region']);
        expect([headers.get('access-control-allow-methods'), headers.get('access-control-allow-credentials')]).toEqual([
          'GET, POST, DELETE, OPTIONS',
          null,
        ]);
        const answer = await list(`${url}/mcp`, { origin });
        expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
        expect(answer.headers.get('access-control-expose-headers')).toMatch(/^Mcp-Session-Id, /);
      }
    },
  );

  it.each(['before', 'after'] as const)(
    'does not lend it to a plugin without origins: registered %s',
    async (order) => {
      const url = await withCors(order, {});
      const preflight = await ask(`${url}/mcp`, 'https://own.example');
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null]);
      const answer = await list(`${url}/mcp`, { origin: 'https://own.example' });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    },
  );
});

describe('an app that closes', () => {
  @Feature()
  class Slow {
    static readonly running: (() => void)[] = [];

    @Tool('Answers when it is let go')
    async moment(): Promise<string> {
      await new Promise<void>((resolve) => Slow.running.push(resolve));
      return 'done';
    }
  }

  const session = async (url: string): Promise<Record<string, string>> => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const answer = await post(`${url}/mcp`, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    await answer.text();
    return { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' };
  };
  const post = (url: string, message: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(message),
    });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'moment' } };

  it('takes no connection any more, and answers the calls that came and that come on open connections', async () => {
    const app = Fastify({ return503OnClosing: false });
    apps.push(app);
    const server = createServer({ name: 'slow', version: '1.0.0', logger: false, features: [Slow] });
    const url = await withPlugin({ server }, app);
    const port = Number(new URL(url).port);
    const headers = await session(url);
    const kept = await dial(port);
    const first = post(`${url}/mcp`, call, headers);
    await until(() => Slow.running.length === 1);
    const closing = app.close();
    await until(async () => !(await isListening(port)));
    const second = new Promise<string>((resolve) => kept.once('data', (data) => resolve(String(data))));
    kept.write(bytesOf(port, { headers: { ...headers, Connection: 'keep-alive' }, body: { ...call, id: 2 } }));
    await until(() => Slow.running.length === 2);
    for (const letGo of Slow.running) letGo();
    expect((await first).status).toBe(200);
    expect(readAnswer(await second)).toMatchObject({ status: 200, message: { result: { isError: false } } });
    await closing;
  });
});
