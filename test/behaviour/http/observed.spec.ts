/** What observers see of HTTP: requests that are refused before the protocol has them, and event streams. */
import { connect } from 'node:net';
import { Denial, Feature, McpContext, Tool, type Auth, type ObservedRefusal, type Observer } from '@sigil-mcp/core';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { as, believing, itWithTransport, request, serve, type OpenServer } from './http-server';
import { ask, until, type RawRequest } from './raw-request';

const NEWEST = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
};

let open: OpenServer;
let running: (() => void)[] = [];
let refusals: ObservedRefusal[] = [];
let events: string[] = [];
const observer: Observer = {
  requestStarted: ({ method }) => {
    events.push(`started ${method}`);
    return {
      ended: (outcome) => void (outcome.kind === 'error' && events.push(`${method}: ${outcome.code} ${outcome.limit}`)),
    };
  },
  messageUnreadable: ({ code, limit }) =>
    void events.push(`unreadable ${code}${limit === undefined ? '' : ` ${limit}`}`),
  requestRefused: (refusal) => void refusals.push(refusal),
};

@Feature()
class Desk {
  @Tool('Waits until the test lets go')
  async wait(context: McpContext): Promise<string> {
    await new Promise<void>((resolve) => {
      running.push(resolve);
      context.signal.addEventListener('abort', () => resolve());
    });
    return 'done';
  }
}

const auth: Auth = {
  resource: 'https://mcp.example.com/mcp',
  authorizationServers: ['https://id.example.com'],
  verify(token, asked) {
    if (token === 'unknown') return undefined;
    if (token === 'broken') throw new Error('no database');
    return believing.verify(token, asked);
  },
};

const start = async (options: HttpTransportOptions = {}, definition: object = {}): Promise<OpenServer> => {
  [running, refusals, events] = [[], [], []];
  const limits = { callsPerClient: 2, nesting: 20 };
  const server = { features: [Desk], observers: [observer], shutdownDeadline: 50, limits, ...definition };
  return (open = await serve(server, options));
};
afterEach(async () => {
  for (const resolve of running) resolve();
  await open.close();
});

const hello = request(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const discover = request(1, 'server/discover', { _meta: META });
const VERSIONED = { 'mcp-protocol-version': NEWEST, 'mcp-method': 'server/discover' };
const session = { 'mcp-session-id': 'x'.repeat(32) };

/** What is refused, and the status and the code that its client gets. */
const REFUSED: readonly [string, RawRequest, number, number][] = [
  ['a host of another name', { headers: { Host: 'evil.example' }, body: hello }, 421, -32600],
  ['an origin that is not allowed', { headers: { Origin: 'https://evil.example' }, body: hello }, 403, -32600],
  ['another method of HTTP', { method: 'PUT', body: hello }, 405, -32600],
  ['another type of content', { headers: { 'Content-Type': 'text/plain' }, body: hello }, 415, -32600],
  ['a body that is too large', { body: ' '.repeat(100_001) }, 413, -32600],
  ['a body that is not JSON', { body: '{"jsonrpc":' }, 400, -32700],
  ['a body that is not UTF-8', { body: Buffer.from([0x22, 0xff, 0x22]) }, 400, -32700],
  ['a body that is not a message', { body: { id: 1 } }, 400, -32600],
  ['a session that does not exist', { headers: session, body: request(2, 'ping') }, 404, -32600],
  ['a request without a session', { body: request(2, 'tools/list') }, 400, -32600],
  ['a stream of no session', { method: 'GET', headers: session }, 404, -32600],
  ['the end of no session', { method: 'DELETE', headers: session }, 404, -32600],
  [
    'a header that differs from the body',
    { headers: { ...VERSIONED, 'mcp-method': 'ping' }, body: discover },
    400,
    -32020,
  ],
  [
    'a version that is not served',
    {
      headers: { ...VERSIONED, 'mcp-protocol-version': '2020-01-01' },
      body: request(1, 'server/discover', {
        _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2020-01-01' },
      }),
    },
    400,
    -32022,
  ],
];

it.each(REFUSED)('are told that HTTP refuses %s', async (_case, sent, status, code) => {
  await start({ bodyLimit: 100_000 });
  const answer = await ask(open, sent);
  expect([answer.status, answer.message?.error?.code]).toEqual([status, code]);
  expect(refusals).toMatchObject([
    { status, code, message: answer.message?.error?.message, caller: { id: 'anonymous' } },
  ]);
  expect(refusals[0]?.limit).toBe(status === 413 ? 'bodyLimit' : undefined);
  expect(refusals[0]?.address).toBe('127.0.0.1');
  const isUnreadable = sent.body !== undefined && status === 400 && /is not (JSON|UTF-8|a message)/.test(_case);
  expect(events).toEqual(isUnreadable ? [`unreadable ${code}`] : []);
});

it.each([
  ['without a token', {}, 401, Denial],
  ['with a token that is not valid', as('unknown'), 401, Denial],
  ['with two tokens', { authorization: ['Bearer ada', 'Bearer bob'] }, 400, Error],
  ['whose token could not be checked', as('broken'), 500, Error],
])('are told that HTTP refuses a request %s, and never its token', async (_case, headers, status, thrown) => {
  await start({ auth });
  expect((await ask(open, { headers, body: hello })).status).toBe(status);
  expect(refusals).toMatchObject([{ status, caller: { id: 'anonymous' }, error: expect.any(thrown) as unknown }]);
  expect(JSON.stringify(refusals[0]?.headers)).not.toMatch(/authorization|Bearer/i);
});

itWithTransport()('are told of requests that are not HTTP, and of paths without anything', async () => {
  await start();
  expect(await open.raw('no request\r\n\r\n')).toContain(' 400 ');
  expect((await ask(open, { target: '/%' })).status).toBe(400);
  expect((await ask(open, { method: 'GET', target: '/other' })).status).toBe(404);
  expect(refusals).toMatchObject([
    { status: 400, address: '127.0.0.1' },
    { status: 400, address: '127.0.0.1' },
    { status: 404, address: '127.0.0.1' },
  ]);
});

it('are told of a body that breaks off', async () => {
  await start();
  const socket = connect(open.port, '127.0.0.1');
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${open.port}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 99999\r\n\r\n{"json`,
  );
  await new Promise((resolve) => open.http.once('request', resolve));
  socket.destroy();
  await until(() => refusals.length > 0);
  expect(refusals).toMatchObject([{ status: 400 }]);
});

it('are told which limit a message exceeds, and which a request has reached', async () => {
  await start({ auth: believing, limits: { sessionsPerClient: 1 } });
  const deep = JSON.stringify(request(1, 'ping', { a: 1 })).replace('1}', `${'['.repeat(30)}${']'.repeat(30)}}`);
  expect((await open.post(deep, as('ada'))).status).toBe(400);
  expect(events).toEqual(['unreadable -32600 limits.nesting']);
  expect(refusals).toMatchObject([{ status: 400, limit: 'limits.nesting', caller: { id: 'ada' } }]);
  const own = await open.initialize('2025-11-25', as('ada'));
  const call = (id: number) => open.post(request(id, 'tools/call', { name: 'wait', arguments: {} }), own);
  const calls = [call(1), call(2)];
  await until(() => running.length === 2);
  expect((await open.post(hello, as('ada'))).status).toBe(503);
  expect(refusals.at(-1)).toMatchObject({ status: 503, limit: 'limits.sessionsPerClient', caller: { id: 'ada' } });
  expect((await call(3)).status).toBe(503);
  expect(events.at(-1)).toBe('tools/call: -32603 limits.callsPerClient');
  expect(refusals).toHaveLength(2);
  for (const resolve of running) resolve();
  await Promise.all(calls);
});

it('change nothing by failing', async () => {
  const fail = (): never => {
    throw new Error('broken observer');
  };
  await start({}, { observers: [{ requestRefused: fail, messageUnreadable: fail, streamOpened: fail }] });
  expect((await ask(open, { body: '{' })).message?.error?.code).toBe(-32700);
});
