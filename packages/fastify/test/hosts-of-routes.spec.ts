/**
 * Odd hosts on every route that an endpoint adds, in every mode that there is: the routes are those that Fastify names, so that a new one is
 * looked at, too.
 */
import { Caller, Feature, Tool, createServer, type Auth } from '@sigil-mcp/core';
import { MemoryStores } from '@sigil-mcp/core/stores';
import { HttpTransport, mcpPlugin, type HttpTransportOptions } from '@sigil-mcp/fastify';
import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { freePort } from '../../../test/support/free-port';
import { ask, type RawRequest } from '../../../test/behaviour/http/raw-request';
import type { OpenServer } from '../../../test/behaviour/http/http-server';

@Feature()
class Desk {
  @Tool('Says hello')
  hello(): string {
    return 'hello';
  }
}

const auth: Auth = {
  resource: 'https://mcp.example.com/mcp',
  authorizationServers: ['https://id.example.com'],
  serverMetadata: async () => ({ issuer: 'https://id.example.com' }),
  verify: (id) => new Caller({ id }),
};

/** What everybody may read, from wherever: probes, and where clients get a token. What it says does not depend on the `Host`. */
const PUBLIC = /^\/(healthz|readyz|\.well-known\/.*)$/;

const MODES: readonly (readonly [string, HttpTransportOptions])[] = [
  ['as it comes', {}],
  ['without sessions', { sessions: false }],
  ['with HTTP+SSE', { sse: true }],
  ['with HTTP+SSE elsewhere', { sse: { path: '/old', messagesPath: '/old/messages' }, path: '/new' }],
  ['with tokens', { auth, sse: true }],
  ['with pages of other origins', { allowedOrigins: ['https://chat.example'] }],
  ['with its hosts named', { allowedHosts: ['mcp.example.com', '127.0.0.1'] }],
  ['without probes', { health: false }],
];

/** Hosts that are none of a server on loopback, by which a page elsewhere could reach it, or that are none at all. */
const ODD = [
  'evil.example',
  'evil.example:80',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'evil.example#127.0.0.1',
  'evil@127.0.0.1',
  '127.0.0.1@evil.example',
  '127.0.0.1:80@evil.example',
  '127.0.0.1, evil.example',
  '127.0.0.1 evil.example',
  '127.0.0.1/evil',
  '127.0.0.1:port',
  '127.0.0.1:999999',
  '127.0.0.1:',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0.0.0.0',
  '[::ffff:127.0.0.1]',
  '[::1',
  '::1',
  '[127.0.0.1]',
  'localhost.',
  'localhostx',
  '*',
  'null',
  '',
];

interface Route {
  readonly method: string;
  readonly url: string;
}

/** Every route of an app, and whether the endpoint serves it: what it does not serve is 405, whoever asks. */
function collect(app: FastifyInstance): Route[] {
  const routes: Route[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, url });
  });
  return routes;
}

let app: FastifyInstance;
let routes: Route[];
let close: () => Promise<void>;
let port: number;
let isInApp = false;
afterEach(async () => {
  isInApp = false;
  await close();
});

async function serve(options: HttpTransportOptions, stores: boolean): Promise<void> {
  const shared = stores ? { stores: new MemoryStores(), requestState: { secrets: ['s'.repeat(32)] } } : {};
  const server = createServer({ name: 'hosts', version: '1.0.0', features: [Desk], logger: false, ...shared });
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false, ...options });
  app = transport.app;
  routes = collect(app);
  close = () => server.close();
  await server.listen(transport);
  port = Number(new URL(transport.url ?? '').port);
}

/** As a plugin of an app that has a route of its own. */
async function serveInApp(): Promise<void> {
  isInApp = true;
  app = Fastify();
  const server = createServer({ name: 'hosts', version: '1.0.0', features: [Desk], logger: false });
  port = await freePort();
  routes = collect(app);
  await app.register(mcpPlugin, { server, sse: true, path: '/inside', prefix: '/api' });
  close = () => app.close();
  await app.listen({ port, host: '127.0.0.1' });
}

const send = async (request: RawRequest) => ask({ port, raw: sendRaw(port) } as unknown as OpenServer, request);
const requestOf = ({ method, url }: Route, headers: NonNullable<RawRequest['headers']>): RawRequest => ({
  method,
  target: url,
  headers: { Authorization: 'Bearer ada', ...(method === 'GET' && { Accept: 'text/event-stream' }), ...headers },
  ...(method === 'POST' && { body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
});

/** What an odd host gets of a route, and may get. */
async function expectRefused(route: Route, request: RawRequest, statuses: readonly number[]): Promise<void> {
  const { status, body } = await send(request);
  const what = `${route.method} ${route.url} ${JSON.stringify(request.headers?.['Host'] ?? 'no host')} ${request.target ?? ''}`;
  if (PUBLIC.test(route.url.replace(/^\/api/, ''))) {
    // Without the header Node itself refuses, where the app is not the transport's.
    if (status === 400 && request.headers?.['Host'] === undefined && isInApp) return;
    const { body: own } = await send(requestOf(route, {}));
    return expect([what, body]).toEqual([what, own]);
  }
  expect([what, [...statuses, 405, 204].includes(status), status]).toEqual([what, true, status]);
  // A preflight of a page that may come is answered before: it tells nothing.
  if (status === 204) expect([what, route.method, body]).toEqual([what, 'OPTIONS', '']);
}

const isServed = (method: string): boolean => ['GET', 'POST', 'DELETE'].includes(method);

async function check(): Promise<void> {
  expect(routes.length).toBeGreaterThan(3);
  const served = routes.filter(({ method }) => isServed(method));
  for (const route of routes) {
    const twice = await send(requestOf(route, { Host: [`127.0.0.1:${port}`, 'evil.example'] }));
    const isRefused = [400, 405].includes(twice.status) || (route.method === 'OPTIONS' && twice.status === 204);
    expect([route, isRefused, twice.status]).toEqual([route, true, twice.status]);
    await expectRefused(route, requestOf(route, { Host: 'evil.example' }), [421]);
  }
  for (const route of served) {
    for (const host of ODD) await expectRefused(route, requestOf(route, { Host: host }), [421, 400]);
    await expectRefused(route, requestOf(route, { Host: undefined }), [400]);
    const target = `http://evil.example${route.url}`;
    await expectRefused(route, { ...requestOf(route, {}), target }, [421]);
    await expectRefused(route, { ...requestOf(route, {}), target: `http://127.0.0.1@evil.example${route.url}` }, [421]);
  }
}

describe.each(MODES)('the routes of a server %s', (_mode, options) => {
  it('serve no other host than their own, in any notation', async () => {
    await serve(options, false);
    await check();
  }, 60_000);
});

it('nor do those of one of several instances, nor of a plugin', async () => {
  await serve({ sse: true }, true);
  await check();
  await close();
  await serveInApp();
  await check();
}, 60_000);

describe('a target that is a whole URL', () => {
  it('sets the host: the Host header is ignored', async () => {
    await serve({ allowedHosts: ['mcp.example.com'] }, false);
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const statusOf = async (target: string, host: string): Promise<number> =>
      (await send({ target, headers: { Host: host, 'Mcp-Session-Id': 'none' }, body })).status;
    expect(await statusOf('http://mcp.example.com/mcp', 'mcp.example.com')).toBe(404);
    expect(await statusOf('HTTP://mcp.example.com/mcp', 'mcp.example.com')).toBe(404);
    expect(await statusOf('http://mcp.example.com/mcp', 'evil.example')).toBe(404);
    expect(await statusOf('http://evil.example/mcp', 'mcp.example.com')).toBe(421);
    expect(await statusOf('http://evil.example/mcp?http://mcp.example.com/', 'mcp.example.com')).toBe(421);
    expect(await statusOf('http://mcp.example.com@evil.example/mcp', 'mcp.example.com')).toBe(421);
  });

  it('does not make another origin the own one of the server', async () => {
    await serve({}, false);
    const sent = (target: string) =>
      send({ target, headers: { Origin: 'http://evil.example' }, body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
    expect([(await sent('http://evil.example/mcp')).status, (await sent('/mcp')).status]).toEqual([421, 403]);
  });

  it('is a path for whoever verifies tokens', async () => {
    const asked: string[] = [];
    const verify: Auth['verify'] = (id, { url }) => (asked.push(url), new Caller({ id }));
    await serve({ auth: { ...auth, verify } }, false);
    for (const target of ['/mcp?a=1', `http://127.0.0.1:${port}/mcp?a=1`])
      await send({ target, headers: { Authorization: 'Bearer ada' }, body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
    expect(asked).toEqual(['https://mcp.example.com/mcp', 'https://mcp.example.com/mcp']);
  });
});

it('a POST that says twice what it carries is refused, whichever comes first', async () => {
  await serve({ sse: true }, false);
  for (const target of ['/mcp', '/messages?sessionId=any'])
    for (const types of [
      ['application/json', 'text/plain'],
      ['application/json', 'application/json'],
      ['text/plain', 'application/json'],
    ]) {
      const { status } = await send({
        target,
        headers: { 'Content-Type': types },
        body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      });
      expect([target, types, status]).toEqual([target, types, 400]);
    }
});

/** Bytes, and what comes back until the first part of an answer is there: a stream goes on. */
function sendRaw(to: number): OpenServer['raw'] {
  return (bytes) =>
    new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(to, '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (data) => {
        answer += data.toString('latin1');
        if (/^HTTP\/1\.1 200/.test(answer) && answer.includes('text/event-stream')) socket.destroy();
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });
}
