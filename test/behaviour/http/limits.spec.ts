/** What clients may make an endpoint hold, over real sockets: what is refused, with which status, and when there is room again. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Feature, McpContext, RateLimit, Tool, UseGuards, type ServerOptions } from '@sigil-mcp/core';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { as, believing, itOnNode, request, serve, type HttpAnswer, type OpenServer } from './http-server';
import { bytesOf, until, untilStill } from './raw-request';

const NEWEST = '2026-07-28';
const MEBIBYTE = 1024 * 1024;
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
};

@Feature()
class Counter {
  static running = 0;
  static letGo: (() => void)[] = [];

  @Tool('Waits until the test lets go')
  async wait(context: McpContext): Promise<string> {
    Counter.running++;
    await new Promise<void>((resolve) => {
      Counter.letGo.push(resolve);
      context.signal.addEventListener('abort', () => resolve());
    });
    Counter.running--;
    return 'done';
  }

  @Tool('Returns a megabyte')
  big(): string {
    return 'y'.repeat(1024 * 1024);
  }

  @Tool('Reports its progress, then returns sixteen megabytes')
  async large(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    return 'z'.repeat(16 * 1024 * 1024);
  }

  @Tool('Reports its progress, then returns')
  async steps(context: McpContext): Promise<string> {
    for (let step = 1; step <= 5; step++) await context.progress(step, 5);
    return 'stepped';
  }

  @UseGuards(RateLimit({ calls: 1, per: 'minute' }))
  @Tool('Once a minute for each user')
  rare(): string {
    return 'rare';
  }

  @UseGuards(RateLimit({ calls: 1, per: 'minute', by: 'address' }))
  @Tool('Once a minute for each address')
  local(): string {
    return 'local';
  }

  @UseGuards(RateLimit({ calls: 1, per: 'minute', by: 'session' }))
  @Tool('Once a minute for each session')
  own(): string {
    return 'own';
  }
}

let open: OpenServer;
const sockets: Socket[] = [];
const start = async (options: HttpTransportOptions = {}, definition: Partial<ServerOptions> = {}): Promise<void> => {
  Counter.running = 0;
  open = await serve({ features: [Counter], shutdownDeadline: 50, ...definition }, options);
};
afterEach(async () => {
  for (const resolve of Counter.letGo.splice(0)) resolve();
  for (const socket of sockets.splice(0)) socket.destroy();
  await open.close();
});

/** Whoever says a name is its owner. */
const call = (name: string, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
  open.post(request(name, 'tools/call', { name, arguments: {}, _meta: META }), { ...headersOf(name), ...headers });
const headersOf = (name: string): Record<string, string> => ({
  'mcp-protocol-version': NEWEST,
  'mcp-method': 'tools/call',
  'mcp-name': name,
});
const callIn = (session: Record<string, string>, name: string, meta: object = {}): Promise<HttpAnswer> =>
  open.post(request(name, 'tools/call', { name, arguments: {}, _meta: meta }), session);
const refusedBy = (status: number, limit: string, id: unknown) => ({
  status,
  retryAfter: '1',
  messages: [{ id, error: { code: -32603, message: expect.stringContaining(limit) as string } }],
});
const shown = ({ status, headers, messages }: HttpAnswer) => ({
  status,
  retryAfter: headers.get('retry-after'),
  messages,
});

/** Bytes of answers that wait, as the server tells them. */
async function unreadBytes(): Promise<number> {
  const read = await fetch(new URL('/healthz', open.url));
  return ((await read.json()) as { memory: { kinds: { unread: number } } }).memory.kinds.unread;
}

/** A client that sends and does not read. */
function deaf(bytes: Buffer, times = 1): Socket {
  const socket = connect(open.port, '127.0.0.1', () => socket.write(Buffer.concat(Array<Buffer>(times).fill(bytes))));
  socket.on('error', () => undefined).pause();
  sockets.push(socket);
  return socket;
}

describe('requests without a session', () => {
  it('count for their user, else for their address, and are refused with 503 [TOOL-026]', async () => {
    await start({ auth: believing }, { limits: { callsPerClient: 2 } });
    const running = [call('wait', as('ada')), call('wait', as('ada')), call('wait', as('nobody'))];
    await until(() => Counter.running === 3);
    const refused = await call('wait', as('ada'));
    expect(shown(refused)).toMatchObject(refusedBy(503, 'limits.callsPerClient', 'wait'));
    expect((await call('big', as('eve'))).status).toBe(200);
    expect((await call('big', as('nobody'))).status).toBe(200);
    for (const resolve of Counter.letGo.splice(0)) resolve();
    await Promise.all(running);
    expect((await call('big', as('ada'))).status).toBe(200);
  });

  it('are counted until their client is gone', async () => {
    await start({}, { limits: { callsPerClient: 1, calls: 1 } });
    const body = request(1, 'tools/call', { name: 'wait', arguments: {}, _meta: META });
    for (let round = 0; round < 5; round++) {
      const socket = deaf(bytesOf(open.port, { headers: headersOf('wait'), body }));
      await until(() => Counter.running === 1);
      socket.destroy();
      await until(() => Counter.running === 0);
    }
    expect((await call('big')).status).toBe(200);
  });
});

describe('a rate', () => {
  const tooOften = (id: string) => ({
    status: 429,
    retryAfter: '60',
    messages: [
      {
        id,
        error: { code: -32600, message: expect.stringContaining('per minute') as string, data: { retryAfter: 60 } },
      },
    ],
  });

  it('is refused with 429 and Retry-After, for each user [TOOL-026]', async () => {
    await start({ auth: believing });
    for (const user of ['ada', 'eve']) {
      expect((await call('rare', as(user))).status).toBe(200);
      expect(shown(await call('rare', as(user)))).toMatchObject(tooOften('rare'));
    }
    expect((await call('local', as('ada'))).status).toBe(200);
    expect(shown(await call('local', as('eve')))).toMatchObject(tooOften('local'));
  });

  it('by session is one for each; for each address, where there is none', async () => {
    await start();
    for (const session of [await open.initialize(), await open.initialize()]) {
      expect((await callIn(session, 'own')).status).toBe(200);
      expect(shown(await callIn(session, 'own'))).toMatchObject(tooOften('own'));
    }
    expect((await call('own')).status).toBe(200);
    expect(shown(await call('own'))).toMatchObject(tooOften('own'));
  });
});

describe('event streams', () => {
  const listen = (): Promise<Response> =>
    fetch(open.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': NEWEST,
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify(request('l', 'subscriptions/listen', { notifications: {}, _meta: META })),
    });

  it('have a limit: a GET and a stream of changes beyond it are refused with 503', async () => {
    await start({ limits: { streams: 2, streamsPerClient: 2 } });
    const session = await open.initialize();
    const streams = [await listen(), await fetch(open.url, { headers: { ...session, accept: 'text/event-stream' } })];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const refused = [
      await listen(),
      await fetch(open.url, { headers: { ...(await open.initialize()), accept: 'text/event-stream' } }),
    ];
    for (const answer of refused) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await answer.text()).toContain('(limits.streams)');
    }
    expect((await callIn(session, 'steps', { progressToken: 1 })).messages.at(-1)).toMatchObject({ id: 'steps' });
    for (const stream of streams) await stream.body?.cancel();
    await until(async () => (await listen()).status === 200);
  });

  it('are resumed as far as their events are kept; else the client is told, with 410 [RESUME-003]', async () => {
    await start({ limits: { streamEvents: 3 } });
    const session = await open.initialize();
    const { text } = await callIn(session, 'steps', { progressToken: 1 });
    const ids = [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
    expect(ids).toHaveLength(7);
    const resume = async (id: string): Promise<{ status: number; text: string }> => {
      const headers = { ...session, accept: 'text/event-stream', 'last-event-id': id };
      const response = await fetch(open.url, { headers });
      return { status: response.status, text: await response.text() };
    };
    for (const id of ids.slice(0, 3)) {
      const { status, text: body } = await resume(id);
      expect([status, JSON.parse(body)]).toMatchObject([410, { error: { code: -32600 } }]);
    }
    for (const [index, id] of ids.slice(3, 6).entries()) {
      const { status, text: body } = await resume(id);
      expect([status, body.match(/^id: /gm)?.length]).toEqual([200, 3 - index]);
    }
  });
});

describe('answers that nobody reads', () => {
  const body = request(1, 'tools/call', { name: 'big', arguments: {}, _meta: META });

  it('have a limit for each client: beyond it requests are refused until they are read', async () => {
    await start({ auth: believing, limits: { unreadPerClient: 8 * 1024 * 1024 } });
    for (let count = 0; count < 5; count++)
      deaf(bytesOf(open.port, { headers: { ...headersOf('big'), ...as('ada'), Connection: 'keep-alive' }, body }), 20);
    await until(async () => (await call('rare', as('ada'))).status === 503);
    expect(shown(await call('big', as('ada')))).toMatchObject(refusedBy(503, 'limits.unreadPerClient', 'big'));
    expect((await call('big', as('eve'))).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await call('big', as('ada'))).status === 200);
  });

  it('have a limit for all clients: those that waited for longest are broken off, and nobody else is kept out', async () => {
    await start({ limits: { unread: 8 * 1024 * 1024 } });
    const slow = Array.from({ length: 5 }, () =>
      deaf(bytesOf(open.port, { headers: { ...headersOf('big'), Connection: 'keep-alive' }, body }), 20),
    );
    const ended = slow.map((socket) => once(socket, 'close'));
    expect((await call('big')).status).toBe(200);
    for (const socket of slow) socket.resume();
    await Promise.race(ended);
    expect((await call('big')).status).toBe(200);
  });

  it('are broken off for the client that has most of them, and no more than needed', async () => {
    await start({
      auth: believing,
      health: { memory: true },
      limits: { unread: 36 * MEBIBYTE, unreadPerClient: Infinity },
    });
    const served: Socket[] = [];
    open.http.on('request', ({ method, socket }) => method === 'POST' && served.push(socket));
    const message = request(1, 'tools/call', { name: 'large', arguments: {}, _meta: META });
    const download = (who: string): Socket =>
      deaf(bytesOf(open.port, { headers: { ...headersOf('large'), ...as(who) }, body: message }));
    const eve = download('eve');
    await until(async () => (await unreadBytes()) > 8 * MEBIBYTE);
    download('ada');
    await until(async () => (await unreadBytes()) > 16 * MEBIBYTE);
    // Adapters may end a connection with an error.
    const cut = new Promise<void>((resolve) => served[1]?.once('close', () => resolve()));
    download('ada');
    await cut;
    let read = 0;
    eve.on('data', ({ length }: Buffer) => (read += length)).resume();
    await until(() => read > 16 * MEBIBYTE);
  });

  it('have half of the memory for all clients, unless their limit is set', async () => {
    await start({ health: { memory: true } }, { limits: { held: 72 * MEBIBYTE } });
    const message = request(1, 'tools/call', { name: 'large', arguments: {}, _meta: META });
    let served = 0;
    open.http.on('request', ({ method }) => (served += method === 'POST' ? 1 : 0));
    for (let count = 1; count <= 4; count++) {
      deaf(bytesOf(open.port, { headers: headersOf('large'), body: message }));
      await until(async () => served === count && (await unreadBytes()) >= Math.min(count, 2) * 16 * MEBIBYTE);
    }
    expect(await unreadBytes()).toBeLessThan(36 * MEBIBYTE);
    await expect(open.initialize()).resolves.toHaveProperty('mcp-session-id');
  });

  itOnNode()('are broken off with their connection, where they wait for their turn on it', async () => {
    await start({ limits: { unread: 36 * MEBIBYTE, unreadPerClient: Infinity } });
    const asking = (name: string): Buffer => {
      const message = request(1, 'tools/call', { name, arguments: {}, _meta: META });
      return bytesOf(open.port, { headers: { ...headersOf(name), Connection: 'keep-alive' }, body: message });
    };
    const socket = deaf(Buffer.concat([asking('wait'), asking('large'), asking('large'), asking('large')]));
    await once(socket.resume(), 'close');
    await until(() => Counter.running === 0);
  });

  it('are sent, however long one alone is', async () => {
    await start({ limits: { unread: 1024 } });
    const { status, text } = await call('large');
    expect([status, text.length > 16 * 1024 * 1024]).toEqual([200, true]);
  });

  it('are not held twice for a client that comes back for them again and again', async () => {
    await start({ limits: { sessionEvents: 32 * 1024 * 1024, unreadPerClient: 32 * 1024 * 1024 } });
    const session = await open.initialize('2025-06-18');
    const { text } = await callIn(session, 'large', { progressToken: 1 });
    const [first = ''] = /^id: (.*)$/m.exec(text)?.slice(1) ?? [];
    expect(first).not.toBe('');
    let heads = 0;
    open.http.on('request', () => heads++);
    const before = process.memoryUsage().rss;
    for (let count = 0; count < 40; count++) {
      const head = { ...session, accept: 'text/event-stream', 'last-event-id': first, host: '127.0.0.1' };
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
      deaf(Buffer.from(`GET /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`));
    }
    await until(() => heads === 40);
    await untilStill(() => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0));
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    expect(shown(await callIn(session, 'own'))).toMatchObject(refusedBy(503, 'limits.unreadPerClient', 'own'));
    expect((await open.post(request(1, 'ping'), session)).status).toBe(200);
    expect((await call('big')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await callIn(session, 'own')).status === 200);
  });
});

describe('limits that are none', () => {
  it.each<[string, unknown, string]>([
    ['sessions', 0, 'SIGIL_LIMIT'],
    ['streams', '3', 'SIGIL_LIMIT'],
    ['calls', 3, 'SIGIL_LIMIT_UNKNOWN'],
  ])('are found when the server listens: %s %j', async (limit, value, code) => {
    await start();
    await expect(serve({}, { limits: { [limit]: value } })).rejects.toMatchObject({ code });
  });
});
