/** What a client sends over HTTP ends its own exchange, and never the process. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { compileFixture } from '../../support/compile-fixture';
import { ALONE_META, type Message } from '../../support/transcript';

const NEWEST = '2026-07-28';
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const program = compileFixture(join(__dirname, 'fixtures', 'fragile.ts'));

/** The fixture, running. */
class Fragile {
  #stderr = '';

  private constructor(private readonly child: ChildProcessByStdio<null, null, Readable>) {
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
  }

  static async start(...flags: string[]): Promise<Fragile> {
    const env = { ...process.env, TRUST_PROXY: 'loopback' };
    const child = spawn(process.execPath, [...flags, program], { stdio: ['ignore', 'ignore', 'pipe'], env });
    const started = new Fragile(child);
    await started.hears('listening on');
    return started;
  }

  get url(): string {
    return /http:\S+/.exec(this.#stderr)?.[0] ?? '';
  }

  get stderr(): string {
    return this.#stderr;
  }

  async hears(text: string): Promise<void> {
    const signal = AbortSignal.timeout(20_000);
    while (!this.#stderr.includes(text)) await once(this.child.stderr, 'data', { signal });
  }

  /** Nobody reads its stderr any more. */
  deafen(): void {
    this.child.stderr.destroy();
  }

  /** A connection of a client's own making. */
  async dial(): Promise<Socket> {
    const { hostname, port } = new URL(this.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  /** Whether it still serves others. */
  async serves(): Promise<boolean> {
    const answer = await this.post(call('ping'), { 'x-forwarded-for': '192.0.2.1' });
    return answer.status === 200 && answer.text.includes('pong');
  }

  async post(
    message: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string; headers: Headers }> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { ...mannersOf(message), ...headers },
      body: JSON.stringify(message),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  /** The headers of a session of a revision with batches. */
  async initialize(version = '2025-03-26'): Promise<Record<string, string>> {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'faults', version: '1' } };
    const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
    const { headers } = await this.post(message);
    return { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  }

  /** SIGTERM, until it was gone. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }

  /** The seconds of a core that it has used so far; 0 where the system does not say. */
  cpu(): number {
    const file = `/proc/${this.child.pid}/stat`;
    if (!existsSync(file)) return 0;
    const [user = 0, system = 0] = readFileSync(file, 'utf8').split(') ')[1]!.split(' ').slice(11, 13).map(Number);
    return (user + system) / 100;
  }

  get exitCode(): number | null {
    return this.child.exitCode;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}

const call = (name: string, meta: object = {}): Message => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: {}, _meta: { ...ALONE_META, ...meta } },
});

const listen = (): Message => ({
  jsonrpc: '2.0',
  id: 'listening',
  method: 'subscriptions/listen',
  params: { notifications: { toolsListChanged: true }, _meta: ALONE_META },
});

function mannersOf(message: unknown): Record<string, string> {
  const manners = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const { method, params } = message as { method?: string; params?: { name?: string; _meta?: object } };
  if (!method || !params?._meta || !(VERSION in params._meta)) return manners;
  return {
    ...manners,
    'mcp-protocol-version': NEWEST,
    'mcp-method': method,
    ...(params.name !== undefined && { 'mcp-name': params.name }),
  };
}

/** The bytes of a POST. */
function bytesOf(message: Message): string {
  const body = JSON.stringify(message);
  const headers = { host: '127.0.0.1', ...mannersOf(message), 'content-length': String(Buffer.byteLength(body)) };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `POST /mcp HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`;
}

let server: Fragile;
beforeEach(async () => {
  server = await Fragile.start('--max-old-space-size=512');
});
afterEach(() => server.kill());

describe('the process lives on after', () => {
  it('requests pipelined behind a stream that does not end, with more to say than the connection takes', async () => {
    const socket = await server.dial();
    socket.write(bytesOf(listen()) + bytesOf(call('report', { progressToken: 'p' })));
    await server.hears('reporting');
    expect(await server.serves()).toBe(true);
    socket.destroy();
  });

  it('a tool that logs more than its client reads', async () => {
    const socket = await server.dial();
    socket.pause();
    socket.write(bytesOf(call('loud', { 'io.modelcontextprotocol/logLevel': 'debug' })));
    await server.hears('said');
    expect(await server.serves()).toBe(true);
    socket.destroy();
    expect(await server.serves()).toBe(true);
  });

  it('a batch whose answers are longer than a text can be', async () => {
    const session = await server.initialize();
    const batch = Array.from({ length: 550 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'big', arguments: {} },
    }));
    const answer = await server.post(batch, session);
    expect(answer.status).toBeLessThan(500);
    expect(() => JSON.parse(answer.text) as unknown).not.toThrow();
    expect(await server.serves()).toBe(true);
  });

  it('a batch whose answers are longer together than it may be answered with: each that has no room says so', async () => {
    const session = await server.initialize();
    const batch = Array.from({ length: 40 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'big', arguments: {} },
    }));
    const answer = await server.post(batch, session);
    const answers = JSON.parse(answer.text) as { id: number; result?: unknown; error?: { message: string } }[];
    expect(answers.map(({ id }) => id)).toEqual(batch.map(({ id }) => id));
    const refused = answers.filter(({ error }) => error?.message.includes('limits.batchAnswer'));
    expect(refused.length).toBeGreaterThan(20);
    expect(refused.length).toBeLessThan(40);
    expect(answer.text.length).toBeLessThan(17 * 1024 * 1024);
    expect(await server.serves()).toBe(true);
  });

  it('a batch of two million things that are no messages, without holding its loop', async () => {
    const session = await server.initialize();
    const { hostname, port } = new URL(server.url);
    const body = `[${'1,'.repeat(1_999_999)}1]`;
    const headers = { ...mannersOf([]), ...session };
    let isAnswered = false;
    const posted = fetch(server.url, { method: 'POST', headers, body }).finally(() => (isAnswered = true));
    const before = server.cpu();
    while (!isAnswered) {
      const probe = await fetch(`http://${hostname}:${port}/healthz`);
      expect(probe.status).toBe(200);
    }
    // A tenth of this is usual.
    expect(server.cpu() - before).toBeLessThan(1);
    const answer = await posted;
    const text = await answer.text();
    expect(text.length).toBeLessThan(1_000_000);
    expect(JSON.parse(text)).toMatchObject({ error: { code: -32600 } });
    expect(await server.serves()).toBe(true);
  });

  it.each(['refused', 'refusedLater'])('a denial whose challenge no header may hold: %s', async (name) => {
    const answer = await server.post(call(name));
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', id: 1, error: { message: 'Not you.' } });
    expect(answer.headers.get('x-injected')).toBeNull();
    expect(await server.serves()).toBe(true);
  });

  it('a handler that leaves a rejected promise behind; it is logged', async () => {
    expect((await server.post(call('careless'))).text).toContain('answered');
    await server.hears('Nobody looks at this.');
    expect(await server.serves()).toBe(true);
  });

  it('its stderr has nobody left who reads it', async () => {
    const { url } = server;
    server.deafen();
    // Each of these logs an error.
    for (let count = 0; count < 5; count++) await server.post(call('careless'));
    expect(server.url).toBe(url);
    expect(await server.serves()).toBe(true);
  });
});

describe('no client holds more than its share', () => {
  const heapOf = async (): Promise<number> => {
    const { text } = await server.post(call('heap'));
    return Number((JSON.parse(text) as { result: { content: [{ text: string }] } }).result.content[0].text);
  };
  const inSession = (id: unknown, name: string, meta: object = {}): Message => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {}, _meta: meta },
  });
  const restart = async (...flags: string[]): Promise<void> => {
    server.kill();
    server = await Fragile.start(...flags);
  };

  it('of events: those of all sessions have a bound', async () => {
    await restart('--expose-gc', '--max-old-space-size=512');
    const before = await heapOf();
    for (let count = 0; count < 100; count++) {
      const session = await server.initialize('2025-11-25');
      const { text } = await server.post(inSession(1, 'streamed', { progressToken: 1 }), session);
      expect(text.length).toBeGreaterThan(1024 * 1024);
    }
    expect((await heapOf()) - before).toBeLessThan(80);
  });

  it('of subscriptions: a URI has a length', async () => {
    await restart('--max-old-space-size=96');
    const session = await server.initialize('2025-11-25');
    for (let count = 0; count < 64; count++) {
      const uri = `fragile://${count}${'u'.repeat(3_900_000)}`;
      const { text } = await server.post(
        { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } },
        session,
      );
      expect(text.length).toBeLessThan(1000);
      expect(JSON.parse(text)).toMatchObject({
        id: 1,
        error: { code: -32602, message: expect.stringContaining('limits.subscriptionUri') },
      });
    }
    expect(await server.serves()).toBe(true);
  });

  it('of running calls: a batch holds so many, and a client so many', async () => {
    const session = await server.initialize();
    const batch = Array.from({ length: 30_000 }, (_, id) => inSession(id, 'wait'));
    expect(JSON.parse((await server.post(batch, session)).text)).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('limits.batchMessages') },
    });
    const calls = Array.from({ length: 100 }, (_, part) =>
      server.post(
        Array.from({ length: 12 }, (_, index) => inSession(`${part}-${index}`, 'wait')),
        session,
      ),
    );
    await server.hears('waiting\n'.repeat(1000));
    const refused = await server.post(inSession(1, 'ping'), session);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(JSON.parse(refused.text)).toMatchObject({
      id: 1,
      error: { code: -32603, message: expect.stringContaining('limits.callsPerClient') },
    });
    expect(await server.serves()).toBe(true);
    await fetch(server.url, { method: 'DELETE', headers: session });
    // What comes after the end of its session is answered as one message.
    for (const { status, text } of await Promise.all(calls))
      expect([status, (JSON.parse(text) as Message[]).length]).toEqual(status === 404 ? [404, undefined] : [200, 12]);
    expect(server.stderr.match(/waiting/g)).toHaveLength(1000);
  });

  it('of what waits to be read: logs are left out and counted, the result is not', async () => {
    const socket = await server.dial();
    socket.pause();
    socket.write(bytesOf(call('shout', { 'io.modelcontextprotocol/logLevel': 'debug' })));
    await server.hears('held ');
    expect(Number(/held (-?\d+) MiB/.exec(server.stderr)?.[1])).toBeLessThan(40);
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
    socket.resume();
    while (!heard.includes('the end of it')) await once(socket, 'data', { signal: AbortSignal.timeout(5000) });
    expect(heard).toMatch(/1[45]\d\d log messages were left out here/);
    expect(heard.length).toBeLessThan(20_000_000);
    socket.destroy();
  });
});

it('a GET with a body that breaks off in its framing gets no second response into its stream', async () => {
  const session = await server.initialize('2025-06-18');
  const socket = await server.dial();
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
  socket.write(
    `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${session['mcp-session-id']}\r\n` +
      'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  );
  await once(socket, 'close');
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

it('a DELETE while a batch runs answers the members of the batch', async () => {
  const session = await server.initialize();
  const batch = ['wait', 'ping', 'wait'].map((name, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {} },
  }));
  const posted = server.post(batch, session);
  await server.hears('waiting\nwaiting');
  expect((await fetch(server.url, { method: 'DELETE', headers: session })).status).toBe(204);
  const answer = await posted;
  expect(JSON.parse(answer.text)).toMatchObject([
    { id: 0, error: { code: -32603 } },
    { id: 1, result: { content: [{ text: 'pong' }] } },
    { id: 2, error: { code: -32603 } },
  ]);
});

describe('who leaves is noticed', () => {
  it('though the request was pipelined behind one that still has the connection', async () => {
    const socket = await server.dial();
    socket.write(bytesOf(listen()) + bytesOf(call('wait')));
    await server.hears('waiting');
    socket.destroy();
    await server.hears('cancelled');
  });

  it('by a handler that waits for room in a stream behind another', async () => {
    const socket = await server.dial();
    socket.write(bytesOf(listen()) + bytesOf(call('flood', { progressToken: 'p' })));
    await server.hears('held up');
    socket.destroy();
    await server.hears('flood over');
  });

  it('so that SIGTERM does not wait for the deadline', async () => {
    const socket = await server.dial();
    socket.write(bytesOf(listen()) + bytesOf(call('wait')));
    await server.hears('waiting');
    socket.destroy();
    await server.hears('cancelled');
    // Its deadline is longer than a test may take.
    await server.stop();
    expect(server.exitCode).toBe(0);
  });
});
