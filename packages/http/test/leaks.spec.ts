/** Clients that come, take and go without a word: nothing of them stays. */
import { request as httpRequest, Agent, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import { ManualClock } from '@sigil-mcp/testing';
import { request, serve, type OpenServer } from '../../../test/behaviour/http/http-server';
import { bytesOf, dial, serverEnds, until, untilStill } from '../../../test/behaviour/http/raw-request';
import { SessionTable } from '../src/sessions/session-table';
import { EventStreams } from '../src/streams/event-streams';

const NEWEST = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
  progressToken: 1,
};

@Feature()
class Trap {
  static running = 0;
  static hasReturnedMuch = false;
  static readonly reasons: string[] = [];

  @Tool('Never returns')
  async never(context: McpContext): Promise<string> {
    Trap.running++;
    context.signal.addEventListener('abort', () => {
      Trap.running--;
      Trap.reasons.push((context.signal.reason as Error).message);
    });
    return new Promise(() => undefined);
  }

  @Tool('Returns much')
  much(): string {
    Trap.hasReturnedMuch = true;
    return 'x'.repeat(100_000);
  }
}

let open: OpenServer;
let clock: ManualClock;
const seen: { streams?: EventStreams; sessions?: SessionTable } = {};

/** The counts are nobody's business outside of the package, so they are read where streams and sessions are opened. */
const start = async (options: Parameters<typeof serve>[1] = {}): Promise<void> => {
  Trap.running = 0;
  Trap.reasons.length = 0;
  clock = new ManualClock();
  open = await serve({ features: [Trap], shutdownDeadline: 50, clock }, options);
};
beforeEach(() => {
  const openStream = EventStreams.prototype.open;
  const openSession = SessionTable.prototype.open;
  jest.spyOn(EventStreams.prototype, 'open').mockImplementation(function (this: EventStreams, asked) {
    Object.assign(seen, { streams: this });
    return openStream.call(this, asked);
  });
  jest.spyOn(SessionTable.prototype, 'open').mockImplementation(function (this: SessionTable, session) {
    Object.assign(seen, { sessions: this });
    return openSession.call(this, session);
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await open.close();
});

it.each(['end', 'destroy', 'resetAndDestroy'] as const)(
  'a client that leaves with %s is noticed, however much waits behind its first request',
  async (leave) => {
    await start();
    const callOf = (name: string): Buffer =>
      bytesOf(open.port, {
        headers: {
          'MCP-Protocol-Version': NEWEST,
          'Mcp-Method': 'tools/call',
          'Mcp-Name': name,
          Connection: 'keep-alive',
        },
        body: request(name, 'tools/call', { name, arguments: {}, _meta: META }),
      });
    for (let round = 0; round < 3; round++) {
      const socket = await dial(open.port);
      socket.on('error', () => undefined);
      Trap.hasReturnedMuch = false;
      socket.write(callOf('never'));
      await until(() => Trap.running === 1);
      socket.write(callOf('much'));
      await until(() => Trap.hasReturnedMuch);
      // What waits behind so much is not read any more.
      for (let count = 0; count < 4; count++) socket.write(callOf('much'));
      socket[leave]();
      await until(() => Trap.running === 0);
    }
  },
);

it.each(['end', 'destroy', 'resetAndDestroy'] as const)(
  'a client that leaves with %s after what is no HTTP is noticed',
  async (leave) => {
    await start();
    const headers = { 'MCP-Protocol-Version': NEWEST, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'never' };
    const body = request(0, 'tools/call', { name: 'never', arguments: {}, _meta: META });
    const socket = await dial(open.port);
    socket.on('error', () => undefined);
    socket.write(bytesOf(open.port, { headers: { ...headers, Connection: 'keep-alive' }, body }));
    await until(() => Trap.running === 1);
    const failed = once(open.http, 'clientError');
    socket.write('no HTTP at all\r\n\r\n');
    await failed;
    socket[leave]();
    await until(() => Trap.running === 0);
  },
);

it('a client that pipelines without end behind a request that lasts is not read any more', async () => {
  await start();
  const ends = serverEnds(open);
  const socket = await dial(open.port);
  socket.on('error', () => undefined);
  const headers = {
    'MCP-Protocol-Version': NEWEST,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'never',
    Connection: 'keep-alive',
  };
  const body = request(0, 'tools/call', { name: 'never', arguments: {}, _meta: META });
  socket.write(bytesOf(open.port, { headers, body }));
  await until(() => Trap.running === 1);
  const discover = { 'MCP-Protocol-Version': NEWEST, 'Mcp-Method': 'server/discover', Connection: 'keep-alive' };
  const asked = bytesOf(open.port, { headers: discover, body: request(1, 'server/discover', { _meta: META }) });
  // Far more than the sockets of both ends take: what the server does not read stays with the client.
  for (let count = 0; count < 400; count++) socket.write(Buffer.concat(Array<Buffer>(100).fill(asked)));
  await until(() => ends[0]?.isPaused() === true);
  await untilStill(() => socket.writableLength);
  expect(socket.writableLength).toBeGreaterThan(5_000_000);
  socket.destroy();
});

function openStream(headers: Record<string, string>, agent: Agent, path = '/mcp'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpRequest(
      { port: open.port, host: '127.0.0.1', path, agent, headers: { accept: 'text/event-stream', ...headers } },
      resolve,
    )
      .on('error', reject)
      .end();
  });
}

describe('streams that are opened and dropped', () => {
  it('are all freed, with their sessions: five hundred of them', async () => {
    await start({ sessions: { idleTime: 5000 }, limits: { sessions: 500, sessionsPerClient: 500 } });
    for (let round = 0; round < 10; round++) {
      const agent = new Agent();
      const opened = await Promise.all(
        Array.from({ length: 50 }, async () => openStream(await open.initialize(), agent)),
      );
      expect(new Set(opened.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
      if (round === 0) expect(seen.streams?.size).toBe(50);
      for (const stream of opened) stream.destroy();
    }
    await until(() => seen.streams?.size === 0);
    expect(seen.sessions?.size).toBe(500);
    await clock.advance(10_000);
    expect(seen.sessions?.size).toBe(0);
    expect((await open.post(request(1, 'ping'), await open.initialize())).status).toBe(200);
  });

  it('are all freed on the HTTP+SSE transport', async () => {
    await start({ sse: true });
    const agent = new Agent();
    for (let round = 0; round < 5; round++) {
      const opened = await Promise.all(Array.from({ length: 100 }, () => openStream({}, agent, '/sse')));
      expect(seen.streams?.size).toBe(100);
      for (const stream of opened) stream.destroy();
      await until(() => seen.streams?.size === 0);
    }
  });
});

describe('a handler that never returns', () => {
  it('is given up when the client of its request is gone, where that means so', async () => {
    await start();
    for (let count = 0; count < 50; count++) {
      const socket = await dial(open.port);
      const headers = { 'MCP-Protocol-Version': NEWEST, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'never' };
      socket.write(bytesOf(open.port, { headers, body: request(1, 'tools/call', { name: 'never', _meta: META }) }));
      await until(() => Trap.running === 1);
      socket.destroy();
      await until(() => Trap.running === 0);
    }
    expect(new Set(Trap.reasons)).toEqual(new Set(['The client closed the connection.']));
  });

  it('goes on in its session when the client is gone, until the session ends [HTTP-015]', async () => {
    await start();
    const session = await open.initialize();
    const ends = serverEnds(open);
    const socket = await dial(open.port);
    socket.write(bytesOf(open.port, { headers: session, body: request(1, 'tools/call', { name: 'never' }) }));
    await until(() => Trap.running === 1);
    socket.destroy();
    await until(() => ends[0]?.closed === true);
    expect(Trap.running).toBe(1);
    expect((await fetch(open.url, { method: 'DELETE', headers: session })).status).toBe(204);
    expect([Trap.running, Trap.reasons]).toEqual([0, ['The client ended the session.']]);
  });

  it('is cancelled by DELETE, and whoever waits for it is told', async () => {
    await start();
    const session = await open.initialize();
    const answer = open.post(request('w', 'tools/call', { name: 'never' }), session);
    const stream = await fetch(open.url, { headers: { ...session, accept: 'text/event-stream' } });
    await until(() => Trap.running === 1);
    await fetch(open.url, { method: 'DELETE', headers: session });
    const { status, messages } = await answer;
    expect([status, messages]).toMatchObject([
      404,
      [{ id: 'w', error: { code: -32603, message: 'The client ended the session.' } }],
    ]);
    expect(await stream.text()).toContain('data: ');
  });

  it('keeps its session from making room for another one, which is told to come later', async () => {
    await start({ limits: { sessions: 1, sessionsPerClient: Infinity } });
    const session = await open.initialize();
    const answer = open.post(request(1, 'tools/call', { name: 'never' }), session);
    await until(() => Trap.running === 1);
    const initialize = request(7, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'late', version: '1' },
    });
    const refused = await open.post(initialize);
    expect([refused.status, refused.headers.get('retry-after'), refused.messages]).toMatchObject([
      503,
      '1',
      [{ id: 7, error: { code: -32603, message: expect.stringContaining('(limits.sessions)') } }],
    ]);
    await fetch(open.url, { method: 'DELETE', headers: session });
    expect([(await answer).status, Trap.running, (await open.post(initialize)).status]).toEqual([404, 0, 200]);
  });

  it('has no answer where its client cancelled it', async () => {
    await start();
    const session = await open.initialize();
    const answer = open.post(request(1, 'tools/call', { name: 'never' }), session);
    await until(() => Trap.running === 1);
    await open.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, session);
    expect([(await answer).status, (await answer).text]).toEqual([202, '']);
  });
});
