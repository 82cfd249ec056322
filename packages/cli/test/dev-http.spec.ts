/** The port that `sigil dev` holds, and servers that come and go behind it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ManualClock } from '@sigil-mcp/testing';
import { develop } from './develop';
import { freePort } from '../../../test/support/free-port';
import { until } from '../../../test/support/until';
import { HttpLine } from '../src/dev/http-line';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

jest.setTimeout(120_000);

/** Speaks just enough; what it was told is in a file. */
const SERVER = `
const { appendFileSync } = require('node:fs');
const note = (line) => appendFileSync(__dirname + '/told', line + '\\n');
const sessions = new Set();
let stream, call;
const event = (message) => 'data: ' + JSON.stringify(message, null, 1).replaceAll('\\n', '\\ndata: ') + '\\n\\n';
const server = require('node:http').createServer(async (request, response) => {
  const { 'mcp-session-id': session, 'content-type': type } = request.headers;
  let body = '';
  for await (const chunk of request) body += chunk;
  const json = (status, message, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(message));
  const fail = (status) => json(status, { jsonrpc: '2.0', error: { code: -32600, message: 'no' } });
  if (request.url !== '/mcp') return fail(404);
  if (request.method === 'GET') {
    if (stream && !stream.destroyed) return fail(409);
    stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
    return stream.flushHeaders();
  }
  if (type !== 'application/json') return fail(415);
  const read = JSON.parse(body);
  const messages = Array.isArray(read) ? read : [read];
  for (const { id, method, params, result } of messages) {
    note(method ?? 'answer to ' + id);
    if (method === undefined && id === 1) call.end(event({ jsonrpc: '2.0', id: call.asked, result }));
    if (method === 'ask') {
      call = Object.assign(response.writeHead(200, { 'content-type': 'text/event-stream' }), { asked: id });
      return call.write(event({ jsonrpc: '2.0', id: 1, method: 'elicitation/create' }));
    }
    if (method === 'initialize' && params.bad)
      return json(200, { jsonrpc: '2.0', id, error: { code: -32602, message: 'no' } }, { 'mcp-session-id': 'bad' });
    if (method === 'initialize') sessions.add(String(process.pid));
    else if (!sessions.has(session)) return fail(404);
  }
  const [{ id, method, params }] = messages.filter((one) => one.method && one.id !== undefined).concat({});
  if (id === undefined) return response.writeHead(202).end();
  if (method === 'never') return undefined;
  if (method === 'resources/subscribe' && params.uri === 'x://gone') {
    return json(200, { jsonrpc: '2.0', id, error: { code: -32602, message: 'not so' } });
  }
  const headers = method === 'initialize' ? { 'mcp-session-id': String(process.pid) } : {};
  return json(200, { jsonrpc: '2.0', id, result: { capabilities: {} } }, headers);
});
server.listen(process.env.PORT);
`;

const folders = new TemporaryFolders();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
  folders.removeAll();
});

interface Answer {
  readonly status: number | undefined;
  readonly head: IncomingMessage;
  text: string;
  isOver: boolean;
}

/** A request on its way: what has come back of it so far. */
interface Sent {
  readonly request: ClientRequest;
  answer?: Answer;
}

/** Milliseconds that running calls have to finish when the server is exchanged. */
const DRAIN = 1500;
/** Milliseconds after which a session that nobody uses is forgotten. */
const IDLE = 60_000;

class Port {
  headers: Record<string, string> = {};

  /** @param clock stands still until a test moves it */
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly dev: ReturnType<typeof develop>,
    readonly clock: ManualClock,
  ) {}

  static async open(): Promise<Port> {
    const port = await freePort();
    const clock = new ManualClock();
    const line = new HttpLine({ port, host: '127.0.0.1', idle: IDLE, clock });
    await line.listen();
    const folder = folders.make({ 'server.js': SERVER });
    const dev = develop(line, { folder, patience: DRAIN, clock });
    closing.push(() => dev.server.close());
    const opened = new Port(folder, port, dev, clock);
    opened.build();
    await opened.ready(1);
    return opened;
  }

  get said(): readonly string[] {
    return this.dev.said;
  }

  replace(): Promise<void> {
    return this.dev.replace(() => this.build());
  }

  /** @param code runs before the server */
  build(code = ''): void {
    writeFileSync(join(this.folder, 'server.js'), `${code}${SERVER}`);
    this.dev.server.changed();
    this.dev.server.built(join(this.folder, 'server.js'));
  }

  /** Resolves when everything that was sent before has arrived: an answer to nobody's question is taken at once, also in an exchange. */
  async arrived(): Promise<void> {
    const { status } = await this.post({ id: 'of nobody', result: {} });
    expect(status).toBe(202);
  }

  ready(times: number): Promise<void> {
    return this.dev.ready(times);
  }

  async initialize(params = {}): Promise<void> {
    const { head } = await this.post({ id: 0, method: 'initialize', params });
    this.headers = { 'mcp-session-id': String(head.headers['mcp-session-id']) };
    await this.post({ method: 'notifications/initialized' });
  }

  /** Sends so many megabytes as one body. @returns the status, undefined where the connection was cut before it was read */
  pour(megabytes: number): Promise<number | undefined> {
    const options = {
      host: '127.0.0.1',
      port: this.port,
      path: '/mcp',
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    };
    const sent = request(options);
    const piece = Buffer.alloc(1024 * 1024, 'x');
    return new Promise((resolve) => {
      sent.on('response', ({ statusCode }) => resolve(statusCode)).on('error', () => resolve(undefined));
      const write = (left: number): void => void (left > 0 ? sent.write(piece, () => write(left - 1)) : sent.end());
      write(megabytes);
    });
  }

  begin(method: string, message?: object, { path = '/mcp', type = 'application/json' } = {}): Sent {
    const headers = { ...this.headers, ...(message && { 'content-type': type }) };
    const sent: Sent = { request: request({ host: '127.0.0.1', port: this.port, path, method, headers }) };
    sent.request
      .on('error', () => undefined)
      .on('response', (head) => {
        const answer = { status: head.statusCode, head, text: '', isOver: false };
        sent.answer = answer;
        head.on('data', (text) => (answer.text += String(text)));
        head.on('end', () => (answer.isOver = true)).on('error', () => undefined);
      });
    const wire = Array.isArray(message)
      ? message.map((one: object) => ({ jsonrpc: '2.0', ...one }))
      : message && { jsonrpc: '2.0', ...message };
    sent.request.end(wire && JSON.stringify(wire));
    return sent;
  }

  async post(message: object, options = {}): Promise<Answer> {
    return whole(this.begin('POST', message, options));
  }

  /** Everything that the servers were told, one after another. */
  get told(): readonly string[] {
    return readFileSync(join(this.folder, 'told'), 'utf8').trim().split('\n');
  }
}

/** Code for a server that does something at its first request, before it answers. */
const atFirstRequest = (code: string): string => `
const http = require('node:http');
const { createServer } = http;
let isFirst = true;
http.createServer = (listener) => createServer((request, response) => {
  const go = () => listener(request, response);
  if (!isFirst) return go();
  isFirst = false;
  ${code}
});
`;

/** Code for a server that listens when another one, which an expression opens, has its port. */
const beforeListening = (open: string): string => `
const own = ${open};
const { Server } = require('node:http');
const { listen } = Server.prototype;
Server.prototype.listen = function (...where) {
  own.on('listening', () => listen.apply(this, where));
};
`;

async function whole(sent: Sent): Promise<Answer> {
  await until(() => sent.answer?.isOver === true);
  return sent.answer!;
}

async function question(sent: Sent): Promise<string> {
  await until(() => /dev-\d+/.test(sent.answer?.text ?? ''));
  return /dev-\d+/.exec(sent.answer!.text)![0];
}

it('reads no endless body of any client, and serves on', async () => {
  const port = await Port.open();
  const status = await port.pour(200);
  expect([413, undefined]).toContain(status);
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(200 * 1024 * 1024);
  await port.initialize();
  expect(port.headers['mcp-session-id']).toMatch(/^\d+$/);
});

it('a call that asks its client can end before a restart', async () => {
  const port = await Port.open();
  await port.initialize();
  const asking = port.begin('POST', { id: 5, method: 'ask' });
  const id = await question(asking);
  await port.replace();
  await port.arrived();
  await port.post({ id, result: { action: 'accept' } });
  expect((await whole(asking)).text).toContain('accept');
});

it('an answer in a batch reaches the question of the server, and the rest of the batch waits', async () => {
  const port = await Port.open();
  await port.initialize();
  const asking = port.begin('POST', { id: 5, method: 'ask' });
  const id = await question(asking);
  await port.replace();
  await port.arrived();
  const mixed = port.begin('POST', [
    { id, result: { action: 'accept' } },
    { id: 6, method: 'name' },
  ]);
  expect((await whole(asking)).text).toContain('accept');
  expect((await whole(mixed)).text).toContain('"id":6');
  const again = port.begin('POST', { id: 7, method: 'ask' });
  await port.post([
    { id: await question(again), result: { action: 'decline' } },
    { id: 8, method: 'name' },
  ]);
  expect((await whole(again)).text).toContain('decline');
});

it('what its client gives up while it waits is never done, and bars nobody from coming back', async () => {
  const port = await Port.open();
  await port.initialize();
  const running = port.begin('POST', { id: 5, method: 'never' });
  await until(() => port.told.includes('never'));
  await port.replace();
  const [call, stream] = [port.begin('POST', { id: 6, method: 'effect' }), port.begin('GET')];
  await port.arrived();
  call.request.destroy();
  stream.request.destroy();
  await port.arrived();
  await port.clock.advance(DRAIN);
  await port.ready(2);
  await port.post({ id: 7, method: 'name' });
  expect(port.told).not.toContain('effect');
  const back = port.begin('GET');
  await until(() => back.answer !== undefined);
  expect(back.answer?.status).toBe(200);
  expect((await whole(running)).text).toContain('Try again.');
});

it('a request that is refused without an id is not waited for', async () => {
  const port = await Port.open();
  await port.initialize();
  expect((await port.post({ id: 5, method: 'name' }, { type: 'text/plain' })).status).toBe(415);
  port.build();
  await port.ready(2);
});

it('a call that is cancelled is cancelled where it runs', async () => {
  const port = await Port.open();
  await port.initialize();
  const running = port.begin('POST', { id: 5, method: 'never' });
  await until(() => port.told.includes('never'));
  await port.replace();
  await port.post({ method: 'notifications/cancelled', params: { requestId: 5 } });
  // While the exchange waits for the call: time stands still.
  await until(() => port.told.includes('notifications/cancelled'));
  expect(port.told.filter((one) => one === 'initialize')).toHaveLength(1);
  await port.clock.advance(DRAIN);
  await port.ready(2);
  expect((await whole(running)).text).toBe('');
});

it('a session outlives what other paths answer', async () => {
  const port = await Port.open();
  await port.initialize();
  expect((await port.post({ id: 5, method: 'name' }, { path: '/other' })).status).toBe(404);
  port.build();
  await port.ready(2);
  expect((await port.post({ id: 6, method: 'name' })).status).toBe(200);
});

it('what a server refused is not asked of the next one, and what that refuses is told', async () => {
  const port = await Port.open();
  await port.post({ id: 0, method: 'initialize', params: { bad: true } });
  await port.initialize();
  await port.post({ id: 5, method: 'resources/subscribe', params: { uri: 'x://gone' } });
  await port.post({ id: 6, method: 'resources/subscribe', params: { uri: 'x://here' } });
  port.build();
  await port.ready(2);
  expect(port.told.slice(5)).toEqual(['initialize', 'notifications/initialized', 'resources/subscribe']);
  expect(port.said).toHaveLength(2);
});

it('a session that nobody uses is forgotten, unless its stream is open', async () => {
  const port = await Port.open();
  await port.initialize();
  await port.clock.advance(IDLE + 1);
  port.build();
  await port.ready(2);
  expect(port.told.filter((one) => one === 'initialize')).toHaveLength(1);
  await port.initialize();
  const stream = port.begin('GET');
  await until(() => stream.answer !== undefined);
  await port.clock.advance(IDLE + 1);
  port.build();
  await port.ready(3);
  expect(port.told.filter((one) => one === 'initialize')).toHaveLength(3);
});

it('a server that dies while sessions are opened there leaves the last one, which answers on', async () => {
  const port = await Port.open();
  await port.initialize();
  const stream = port.begin('GET');
  await until(() => stream.answer !== undefined);
  port.build(atFirstRequest('process.exit(3);'));
  await until(() => port.said.at(-1) === 'Version 1 keeps serving.');
  expect(port.said.join('\n')).toContain('exit code 3');
  expect((await port.post({ id: 5, method: 'name' })).status).toBe(200);
  expect(stream.answer?.isOver).toBe(false);
  port.build();
  await port.ready(2);
  expect((await port.post({ id: 6, method: 'name' })).status).toBe(200);
});

describe('a server with a port of its own, which only one version can have', () => {
  it.each([
    ['before it listens', beforeListening],
    ['while sessions are opened there', (open: string) => atFirstRequest(`${open}.on('listening', go);`)],
  ])('starts when the last one has ended: the port is opened %s', async (_when, code) => {
    const port = await Port.open();
    const open = `require('node:net').createServer().listen(${await freePort()}, '127.0.0.1')`;
    await port.initialize();
    port.build(code(open));
    await port.ready(2);
    expect((await port.post({ id: 5, method: 'name' })).status).toBe(200);
    port.build(code(open));
    await port.ready(3);
    expect(port.said).toContain('The new version needs a port that version 2 uses: version 2 ends first.');
    expect((await port.post({ id: 6, method: 'name' })).status).toBe(200);
  });

  it('starts again if it finds that its port is taken after it began to serve', async () => {
    const port = await Port.open();
    const other = createServer().listen(0, '127.0.0.1');
    await until(() => other.listening);
    const { port: taken } = other.address() as AddressInfo;
    port.build(atFirstRequest(`require('node:net').createServer().on('listening', go).listen(${taken}, '127.0.0.1');`));
    await port.ready(2);
    const lost = port.begin('POST', { id: 5, method: 'initialize', params: {} });
    await until(() => port.said.some((line) => line.includes('EADDRINUSE')));
    other.close();
    await port.ready(3);
    expect((await whole(lost)).text).toContain('Try again.');
    await port.initialize();
    expect((await port.post({ id: 6, method: 'name' })).status).toBe(200);
  });

  it('is given up if another program has the port', async () => {
    const port = await Port.open();
    const other = createServer().listen(0, '127.0.0.1');
    await until(() => other.listening);
    const { port: taken } = other.address() as AddressInfo;
    closing.push(async () => void other.close());
    port.build(beforeListening(`require('node:net').createServer().listen(${taken}, '127.0.0.1')`));
    await until(() => port.said.at(-1)?.startsWith('No version is running') === true);
    expect((await port.post({ id: 5, method: 'initialize', params: {} })).text).toContain('EADDRINUSE');
    port.build();
    await port.ready(2);
  });
});
