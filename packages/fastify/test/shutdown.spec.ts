/** The end of a server: calls finish or are told that they will not, streams end, nothing is left open. */
import type { Socket } from 'node:net';
import { Feature, McpContext, Tool, type ServerLimits } from '@sigil-mcp/core';
import { request, serve, type OpenServer } from '../../../test/behaviour/http/http-server';
import { bytesOf, dial, isListening, readAnswer, until, untilStill } from '../../../test/behaviour/http/raw-request';

const NEWEST = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
  progressToken: 1,
};

/** What a client is told whose call the end of the server has cut off: nobody is to send it again unseen. */
const CUT_OFF = 'The server is shutting down. The request was cut off. It is not known whether it was completed.';

/** More than the sockets of both ends hold. */
const LONG = 'x'.repeat(8_000_000);

@Feature()
class Work {
  static running = 0;
  static hasSaidMuch = false;
  /** How often the one that talks without end has talked. */
  static said = 0;
  static onCut: () => void = () => undefined;
  static readonly waiting: (() => void)[] = [];
  static readonly reasons: string[] = [];

  @Tool('Takes until the test lets go')
  async moment(): Promise<string> {
    Work.running++;
    await new Promise<void>((resolve) => Work.waiting.push(resolve));
    return 'done';
  }

  @Tool('Says much')
  long(): string {
    Work.hasSaidMuch = true;
    return LONG;
  }

  @Tool('Never returns')
  async never(context: McpContext): Promise<string> {
    context.signal.addEventListener('abort', () => Work.reasons.push((context.signal.reason as Error).message));
    Work.running++;
    return new Promise(() => undefined);
  }

  @Tool('Says something, and never returns')
  async hang(context: McpContext): Promise<string> {
    await context.progress(1);
    Work.running++;
    return new Promise(() => undefined);
  }

  @Tool('Talks without end')
  async chatter(context: McpContext): Promise<string> {
    context.signal.addEventListener('abort', () => Work.onCut());
    const filling = 'x'.repeat(10_000);
    for (let n = 1; !context.signal.aborted; n++) {
      await context.progress(n, undefined, filling);
      Work.said = n;
    }
    return 'quiet';
  }
}

let open: OpenServer;
const start = async (
  shutdownDeadline: number,
  options: Parameters<typeof serve>[1] = {},
  limits: ServerLimits = {},
): Promise<void> => {
  Work.running = 0;
  Work.hasSaidMuch = false;
  Work.said = 0;
  Work.reasons.length = 0;
  Work.waiting.length = 0;
  open = await serve({ features: [Work], shutdownDeadline, limits }, options);
};
const letGo = (): void => Work.waiting.splice(0).forEach((resolve) => resolve());
afterEach(() => {
  letGo();
  return open.close();
});

const call = (name: string): ReturnType<OpenServer['post']> =>
  open.post(request(1, 'tools/call', { name, _meta: META }), {
    'mcp-protocol-version': NEWEST,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  });
const callIn = (session: Record<string, string>, name: string): ReturnType<OpenServer['post']> =>
  open.post(request(1, 'tools/call', { name, _meta: { progressToken: 1 } }), session);
const callOf = (name: string): string => {
  const body = JSON.stringify(request(1, 'tools/call', { name, _meta: META }));
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\nMCP-Protocol-Version: ${NEWEST}\r\nMcp-Method: tools/call\r\nMcp-Name: ${name}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};
/** A client that reads nothing, and a call of it that talks to it until its sockets are full. */
async function deafClient(): Promise<Socket> {
  const socket = await dial(open.port);
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(callOf('chatter'));
  await until(() => Work.said > 1);
  await untilStill(() => Work.said);
  return socket;
}
const at = (path: string): string => new URL(path, open.url).href;

describe('the end of a server', () => {
  it('waits for calls that finish in time', async () => {
    await start(20_000);
    const session = await open.initialize();
    const answers = [call('moment'), callIn(session, 'moment')];
    await until(() => Work.running === 2);
    const closing = open.close();
    await until(async () => !(await isListening(open.port)));
    letGo();
    for (const { status, messages } of await Promise.all(answers))
      expect([status, messages]).toMatchObject([200, [{ result: { content: [{ text: 'done' }] } }]]);
    await closing;
  });

  it('cancels those that do not, and tells their clients', async () => {
    await start(50);
    const session = await open.initialize();
    const answers = [call('never'), callIn(session, 'never')];
    await until(() => Work.running === 2);
    await open.close();
    for (const { status, messages } of await Promise.all(answers)) {
      expect([status, messages]).toEqual([500, [{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: CUT_OFF } }]]);
    }
    for (const { headers } of await Promise.all(answers)) expect(headers.get('retry-after')).toBeNull();
    expect(Work.reasons).toEqual(['The server is shutting down.', 'The server is shutting down.']);
  });

  it('says so on streams too, before they end [HTTP-010, HTTP-011]', async () => {
    await start(50);
    const answers = [
      call('hang'),
      callIn(await open.initialize(), 'hang'),
      callIn(await open.initialize('2025-03-26'), 'hang'),
    ];
    await until(() => Work.running === 3);
    await open.close();
    for (const { status, messages } of await Promise.all(answers))
      expect([status, messages.at(-1)]).toMatchObject([200, { id: 1, error: { code: -32603, message: CUT_OFF } }]);
  });

  it('ends the streams of sessions', async () => {
    await start(50, { sse: true });
    const session = await open.initialize();
    const accept = { accept: 'text/event-stream' };
    const streams = [
      await fetch(open.url, { headers: { ...session, ...accept } }),
      await fetch(at('/sse'), { headers: accept }),
    ];
    await open.close();
    for (const stream of streams) expect(await stream.text()).toMatch(/(: .*|data: .*)\n\n$/);
  });

  it('ends the streams that wait for changes before calls are over, and opens no others', async () => {
    await start(20_000);
    const session = await open.initialize();
    const kept = await dial(open.port);
    const stream = await fetch(open.url, { headers: { ...session, accept: 'text/event-stream' } });
    const running = callIn(session, 'moment');
    await until(() => Work.running === 1);
    const closing = open.close();
    await stream.text();
    expect(Work.running).toBe(1);
    const another = new Promise<string>((resolve) => kept.once('data', (data) => resolve(String(data))));
    const headers = { ...session, Accept: 'text/event-stream', Connection: 'keep-alive' };
    kept.write(bytesOf(open.port, { method: 'GET', headers }));
    const refused = readAnswer(await another);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    letGo();
    expect((await running).status).toBe(200);
    await closing;
  });

  it('does not wait for clients that read nothing, and pauses handlers that talk to them', async () => {
    await start(50, {}, { progressPerSecond: Infinity });
    const socket = await deafClient();
    // What the sockets of both ends hold, in messages of 10 kB; without a pause it would be all that fits into memory.
    expect(Work.said).toBeLessThan(5000);
    await open.close();
    socket.destroy();
  });

  it.each(['auto', 'always'] as const)('lets clients read what they were answered (stream: %s)', async (stream) => {
    await start(50, { stream });
    const session = await open.initialize();
    const socket = await dial(open.port);
    socket.pause();
    const body = request(1, 'tools/call', { name: 'long' });
    socket.write(bytesOf(open.port, { headers: { Connection: 'keep-alive', ...session }, body }));
    await until(() => Work.hasSaidMuch);
    const closing = open.close();
    await new Promise((resolve) => setImmediate(resolve));
    let length = 0;
    socket.on('data', (data) => (length += data.length));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await Promise.all([closing, closed]);
    expect(length).toBeGreaterThan(LONG.length);
  });

  it('closes connections that are kept alive', async () => {
    await start(50);
    const socket = await dial(open.port);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await open.close();
    await closed;
  });

  it('waits for no connection on which nothing was ever sent', async () => {
    await start(50);
    const socket = await dial(open.port);
    const closed = new Promise((resolve) => socket.resume().once('close', resolve));
    // The moment that clients have to read the end of their streams never passes.
    const { setTimeout: after } = globalThis;
    const slow = (run: () => void, delay = 0) => after(run, delay > 900 ? 1_000_000 : delay);
    const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(slow);
    await open.close();
    await closed;
    timers.mockRestore();
  });

  it('answers whoever comes too late in JSON-RPC, on a connection that was open before', async () => {
    await start(20);
    const [stuck, late] = [await deafClient(), await dial(open.port)];
    let isCut = false;
    Work.onCut = () => (isCut = true);
    // The client that does not read keeps the end from being over at once.
    const closed = open.close();
    await until(() => isCut);
    late.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
    const answer = readAnswer(
      await new Promise<string>((resolve) => late.once('data', (data) => resolve(String(data)))),
    );
    expect([answer.status, answer.message]).toMatchObject([503, { error: { code: -32600 } }]);
    expect([answer.headers.get('retry-after'), answer.headers.get('connection')]).toEqual(['1', 'close']);
    await closed;
    stuck.destroy();
  });

  it.each(['auto', 'always'] as const)(
    'gives what still comes on open connections the whole deadline, and says that it is their last (stream: %s)',
    async (stream) => {
      await start(20_000, { stream });
      const kept = await dial(open.port);
      kept.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await new Promise((resolve) => kept.once('data', resolve));
      const first = call('moment');
      await until(() => Work.running === 1);
      const closing = open.close();
      await until(async () => !(await isListening(open.port)));
      // The first call ends soon, and this one has begun.
      const second = new Promise<string>((resolve) => kept.once('data', (data) => resolve(String(data))));
      const ended = new Promise((resolve) => kept.once('close', resolve));
      kept.write(callOf('moment'));
      await until(() => Work.running === 2);
      letGo();
      expect((await first).messages).toMatchObject([{ result: { content: [{ text: 'done' }] } }]);
      const answer = await second;
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toMatch(/^connection: close\r$/im);
      expect(answer).toContain('"text":"done"');
      await Promise.all([closing, ended]);
    },
  );

  it('waits for a request whose head has come, and whose body is on its way', async () => {
    await start(20_000);
    const socket = await dial(open.port);
    const whole = callOf('moment');
    const text = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    let heads = 0;
    open.http.on('request', () => heads++);
    socket.write(whole.slice(0, -10));
    await until(() => heads === 1);
    const closing = open.close();
    await until(async () => !(await isListening(open.port)));
    socket.write(whole.slice(-10));
    await until(() => Work.running === 1);
    letGo();
    expect(await text).toMatch(/^HTTP\/1\.1 200 [^]*"text":"done"/);
    await closing;
  });

  it('begins nothing any more whose body comes after the deadline', async () => {
    await start(20);
    const [late, socket] = [await dial(open.port), await deafClient()];
    const whole = callOf('moment');
    const text = new Promise<string>((resolve) => late.once('data', (data) => resolve(String(data))));
    late.write(whole.slice(0, -10));
    let isCut = false;
    Work.onCut = () => (isCut = true);
    const closing = open.close();
    await until(() => isCut);
    late.write(whole.slice(-10));
    const { status, headers } = readAnswer(await text);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    socket.destroy();
    await closing;
  });

  it('takes no connection any more from its beginning', async () => {
    await start(20_000);
    const running = call('moment');
    await until(() => Work.running === 1);
    const closing = open.close();
    await until(async () => !(await isListening(open.port)));
    letGo();
    expect((await running).status).toBe(200);
    await closing;
  });

  it('is the same for everybody who asks for it', async () => {
    await start(50);
    await Promise.all([open.close(), open.close()]);
    await open.close();
  });
});

describe('probes', () => {
  it('are answered with GET and HEAD, from anywhere, by nobody in particular', async () => {
    await start(50, { auth: { verify: () => Promise.reject(new Error('nobody')) } });
    for (const path of ['/healthz', '/readyz']) {
      const text = await open.raw(
        `GET ${path} HTTP/1.1\r\nHost: kubelet.example\r\nOrigin: https://evil.example\r\nConnection: close\r\n\r\n`,
      );
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
      const head = await fetch(at(path), { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    }
  });

  it('say at once that the server takes no more, and that it lives', async () => {
    await start(20_000);
    const answer = call('moment');
    await until(() => Work.running === 1);
    const probes = ['GET /readyz', 'HEAD /readyz', 'GET /healthz'];
    const sockets = await Promise.all(probes.map(() => dial(open.port)));
    const closing = open.close();
    const answers = probes.map((probe, index) => {
      const said = new Promise<string>((resolve) => sockets[index]?.once('data', (data) => resolve(String(data))));
      sockets[index]?.write(`${probe} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return said.then(readAnswer);
    });
    const [ready, head, healthy] = await Promise.all(answers);
    expect([ready?.status, ready?.body, head?.status, healthy?.status]).toEqual([
      503,
      '{"status":"closing"}',
      503,
      200,
    ]);
    letGo();
    expect((await answer).status).toBe(200);
    await closing;
  });

  it('are left out where they are not wanted', async () => {
    await start(50, { health: false });
    expect((await fetch(at('/healthz'))).status).toBe(404);
  });
});
