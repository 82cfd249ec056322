/** A server inside an Express app: between its parsers, routes and error handlers, by the adapter for Node. */
import { createServer as createHttpServer, request as httpRequest, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createServer, Feature, Tool, type Server } from '@sigil-mcp/core';
import { createNodeHandler, type NodeHandler, type NodeHandlerOptions } from '@sigil-mcp/http/node';
import express, { type NextFunction, type Request, type Response as Reply } from 'express';

@Feature()
class Greeter {
  @Tool('Greets.')
  greet(): string {
    return 'Hello.';
  }
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const MANNERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
let close: () => Promise<void> = async () => undefined;
let origin: string;
let handler: NodeHandler;

const greeter = (): Server =>
  createServer({ name: 'express-test', version: '1.0.0', logger: false, features: [Greeter] });

async function start(
  around: (app: express.Express, handle: NodeHandler) => void,
  options: NodeHandlerOptions = {},
  server = greeter(),
): Promise<void> {
  handler = createNodeHandler(server, options);
  const app = express();
  around(app, handler);
  const http: HttpServer = createHttpServer(app);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  close = async () => {
    await handler.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
}

afterEach(() => close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { ...MANNERS, 'mcp-protocol-version': '2025-11-25', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

it('speaks with the official client, sessions and streams included', async () => {
  await start((app, handle) => app.use(handle));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)));
  expect(await client.callTool({ name: 'greet' })).toMatchObject({ content: [{ text: 'Hello.' }] });
  await client.close();
});

it('leaves all other paths to the app, which are served before and after it', async () => {
  await start((app, handle) => {
    app.get('/before', (_request, reply) => void reply.send('before'));
    app.use(handle);
    app.get('/after', (_request, reply) => void reply.send('after'));
  });
  const texts = ['/before', '/after', '/healthz'].map(async (path) => (await fetch(`${origin}${path}`)).text());
  expect(await Promise.all(texts)).toEqual(['before', 'after', expect.stringContaining('ok')]);
  expect((await fetch(`${origin}/elsewhere`)).status).toBe(404);
});

it.each<[string, (app: express.Express, handle: NodeHandler) => void]>([
  ['at the root', (app, handle) => app.use(handle)],
  ['under a path that Express cuts off', (app, handle) => app.use('/api', handle)],
  ['in a route', (app, handle) => app.all('/api/mcp', handle)],
  ['behind a parser of JSON', (app, handle) => app.use(express.json(), handle)],
  ['behind a parser of bytes', (app, handle) => app.use(express.raw({ type: '*/*' }), handle)],
  ['behind a parser of text', (app, handle) => app.use(express.text({ type: '*/*' }), handle)],
])('is served %s', async (_where, around) => {
  await start(around, { path: '/api/mcp', sessions: false });
  const answer = await post('/api/mcp', LIST);
  expect([answer.status, await answer.json()]).toMatchObject([200, { result: { tools: [{ name: 'greet' }] } }]);
});

it.each([
  ['spaces', `{ "jsonrpc": "2.0",  "id": 1, "method": "tools/list", "params": {} }`],
  ['escapes', `{"jsonrpc":"2.0","id":"\\u00e9\\ud83d\\ude00","method":"tools/list","params":{}}`],
])('a body with %s that a parser has read is served, whatever its length was', async (_what, body) => {
  await start((app, handle) => app.use(express.json(), handle), { sessions: false });
  expect(await (await post('/mcp', body)).json()).toMatchObject({ result: { tools: [{ name: 'greet' }] } });
});

it('a body that was read and dropped before the handler is a fault of the app, which the answer names', async () => {
  const drop = (request: Request, _reply: Reply, next: NextFunction): void => void request.resume().on('end', next);
  await start((app, handle) => app.use(drop, handle), { sessions: false });
  const answer = await post('/mcp', LIST);
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('read before the handler')]);
});

it.each(['mcp', '', '/m?x', '/a b', '/#mcp'])('the path %p, which no request can have, is refused', async (path) => {
  const refused = createNodeHandler(greeter(), { path });
  await expect(refused.ready).rejects.toMatchObject({ code: 'SIGIL_HTTP_PATH' });
});

it('an address that throws is an error of one request', async () => {
  const address = (): string => {
    throw new Error('no address');
  };
  await start((app, handle) => app.use(handle), { sessions: false, address });
  expect((await post('/mcp', LIST)).status).toBe(500);
});

it('keeps headers that the app has set', async () => {
  await start(
    (app, handle) =>
      app.use((_request, reply, next) => {
        reply.setHeader('strict-transport-security', 'max-age=1');
        next();
      }, handle),
    { sessions: false },
  );
  expect((await post('/mcp', LIST)).headers.get('strict-transport-security')).toBe('max-age=1');
});

it('answers a body that is too large while its client still writes, and the connection lives on', async () => {
  await start((app, handle) => app.use(handle), { bodyLimit: 1000 });
  const large = 'x'.repeat(3_000_000);
  expect((await post('/mcp', JSON.stringify({ ...LIST, params: { large } }))).status).toBe(413);
  expect((await post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(400);
});

it('gives the error of a server that cannot be started to the error handler of the app', async () => {
  @Feature()
  class Unlucky extends Greeter {
    onStart(): void {
      throw new Error('no database');
    }
  }
  const broken = createServer({ name: 'broken', version: '1.0.0', logger: false, features: [Unlucky] });
  await start(
    (app, handle) => {
      app.use(handle);
      app.use((error: Error, _request: Request, reply: Reply, _next: NextFunction) => {
        reply.status(503).json({ message: error.message });
      });
    },
    {},
    broken,
  );
  const answer = await post('/mcp', LIST);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { message: expect.stringContaining('no database') as string },
  ]);
  await expect(handler.ready).rejects.toThrow('no database');
  close = async () => undefined;
});

it('checks the Host of a server that listens on loopback [HTTP-002]', async () => {
  await start((app, handle) => app.use(handle), { sessions: false });
  expect(await statusFor('evil.example')).toBe(421);
  expect(await statusFor('localhost')).toBe(200);
});

it('lets pages of an allowed origin in, and answers their preflight', async () => {
  await start((app, handle) => app.use(handle), { sessions: false, allowedOrigins: ['https://page.example'] });
  const page = { origin: 'https://page.example' };
  const preflight = await fetch(`${origin}/mcp`, { method: 'OPTIONS', headers: page });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, page.origin]);
  expect((await post('/mcp', LIST, page)).headers.get('access-control-allow-origin')).toBe(page.origin);
  expect((await post('/mcp', LIST, { origin: 'https://other.example' })).status).toBe(403);
});

function statusFor(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { ...MANNERS, host, 'mcp-protocol-version': '2025-11-25' };
    const sent = httpRequest(`${origin}/mcp`, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject).end(JSON.stringify(LIST));
  });
}
