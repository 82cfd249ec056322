/** What observers see of event streams: that they are opened, and why they end. */
import { connect, type Socket } from 'node:net';
import { Caller, Feature, McpContext, Tool, type Auth, type Observer } from '@sigil-mcp/core';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { ManualClock } from '@sigil-mcp/testing';
import { request, serve, type OpenServer } from './http-server';
import { bytesOf, until } from './raw-request';

const NEWEST = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const EVENTS = { accept: 'text/event-stream' };
const LIFE = 60_000;

let open: OpenServer;
let clock: ManualClock;
let running: (() => void)[] = [];
let seen: string[] = [];
const sockets: Socket[] = [];
const clients: AbortController[] = [];

const observer: Observer = {
  streamOpened({ kind, caller, address, headers }) {
    expect([address, 'authorization' in headers]).toEqual(['127.0.0.1', false]);
    seen.push(`${caller.id} opens ${kind}`);
    return ({ reason, limit, duration }) => {
      expect(duration).toBeGreaterThanOrEqual(0);
      seen.push(`${kind} ends: ${reason}${limit === undefined ? '' : ` ${limit}`}`);
    };
  },
};

@Feature()
class Desk {
  @Tool('Reports its progress, and waits until the test lets go')
  async wait(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    await new Promise<void>((resolve) => {
      running.push(resolve);
      context.signal.addEventListener('abort', () => resolve());
    });
    return 'done';
  }

  @Tool('Reports its progress, and has the client come back for the rest')
  async release(context: McpContext): Promise<string> {
    context.releaseStream();
    await new Promise<void>((resolve) => running.push(resolve));
    return 'done';
  }

  @Tool('Reports its progress')
  async steps(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    return 'done';
  }

  @Tool('Returns a megabyte')
  async big(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    return 'y'.repeat(1024 * 1024);
  }
}

/** Tokens are names; those that expire say when. */
const auth: Auth = {
  verify: (token) => {
    const [id = '', expiresAt] = token.split('.');
    return new Caller({ id, ...(expiresAt !== undefined && { expiresAt: Number(expiresAt) }) });
  },
};

const start = async (options: HttpTransportOptions = {}): Promise<void> => {
  [running, seen, clock] = [[], [], new ManualClock()];
  open = await serve({ features: [Desk], observers: [observer], shutdownDeadline: 50, clock }, options);
};
const letGo = (): void => running.splice(0).forEach((resolve) => resolve());
afterEach(async () => {
  letGo();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const client of clients.splice(0)) client.abort();
  await open.close();
});

/** A call of a tool, of the newest revision or of a session. */
const toolCall = (name: string, version = NEWEST): object =>
  request(1, 'tools/call', { name, arguments: {}, _meta: { ...(version === NEWEST && META), progressToken: 1 } });
const headersOf = (name: string): Record<string, string> => ({
  'mcp-protocol-version': NEWEST,
  'mcp-method': 'tools/call',
  'mcp-name': name,
});

/** Opens a stream by GET, and reads nothing. */
async function listen(headers: Record<string, string>, path = ''): Promise<{ text: () => string; leave: () => void }> {
  const client = new AbortController();
  clients.push(client);
  const url = path === '' ? open.url : new URL(path, open.url);
  const response = await fetch(url, { headers: { ...headers, ...EVENTS }, signal: client.signal });
  expect(response.status).toBe(200);
  let text = '';
  void (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
  })().catch(() => undefined);
  return { text: () => text, leave: () => client.abort() };
}

/** Sends a request, and reads nothing of its answer. */
function deaf(bytes: Buffer): Socket {
  const socket = connect(open.port, '127.0.0.1', () => socket.pause().write(bytes));
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

it.each([NEWEST, '2025-06-18', '2025-11-25'])('are told of the answer of %s that is a stream', async (version) => {
  await start();
  const headers = version === NEWEST ? headersOf('steps') : await open.initialize(version);
  const { text } = await open.post(toolCall('steps', version), headers);
  expect(text).toContain('data: ');
  await until(() => seen.length === 2);
  expect(seen).toEqual(['anonymous opens post', 'post ends: answered']);
});

it.each([NEWEST, '2025-11-25'])('are told of streams that are whole answers, and change none: %s', async (version) => {
  const texts: string[] = [];
  for (const observers of [[], [observer]]) {
    [seen, clock] = [[], new ManualClock()];
    open = await serve({ features: [Desk], observers, clock }, { stream: 'always' });
    const isNewest = version === NEWEST;
    const headers = isNewest ? { ...headersOf(''), 'mcp-method': 'tools/list' } : await open.initialize(version);
    if (!isNewest) await until(() => seen.length === 2 * observers.length);
    seen = [];
    const { text } = await open.post(request(1, 'tools/list', isNewest ? { _meta: META } : {}), headers);
    texts.push(text.replace(/^id: .*$/gm, 'id'));
    if (observers.length > 0) await until(() => seen.length === 2);
    else await open.close();
  }
  expect(texts[0]).toContain('data: {');
  expect(texts[1]).toBe(texts[0]);
  expect(seen).toEqual(['anonymous opens post', 'post ends: answered']);
});

it('are told that a client left before the answer', async () => {
  await start();
  const socket = deaf(bytesOf(open.port, { headers: headersOf('wait'), body: toolCall('wait') }));
  await until(() => running.length === 1);
  socket.destroy();
  await until(() => seen.length === 2);
  expect(seen).toEqual(['anonymous opens post', 'post ends: client-gone']);
});

it('are told how the stream of a session ends: by its client, its session, its token, the server', async () => {
  await start({ auth });
  const as = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
  const session = await open.initialize('2025-11-25', as('ada'));
  const first = await listen(session);
  first.leave();
  await until(() => seen.length === 2);
  await listen({ ...session, ...as(`ada.${clock.now() + LIFE}`) });
  await clock.advance(LIFE);
  await until(() => seen.length === 4);
  await listen(session);
  await fetch(open.url, { method: 'DELETE', headers: session });
  await until(() => seen.length === 6);
  await listen(await open.initialize('2025-11-25', as('bob')));
  await open.close();
  expect(seen).toEqual([
    'ada opens get',
    'get ends: client-gone',
    'ada opens get',
    'get ends: token-expired',
    'ada opens get',
    'get ends: session-ended',
    'bob opens get',
    'get ends: shutdown',
  ]);
});

it('are told of streams that are continued on other connections', async () => {
  await start();
  const session = await open.initialize('2025-11-25');
  const { text } = await open.post(toolCall('release', '2025-11-25'), session);
  const [id = ''] = /^id: (.*)$/m.exec(text)?.slice(1) ?? [];
  await listen({ ...session, 'last-event-id': id });
  await listen({ ...session, 'last-event-id': id });
  await until(() => seen.length === 5);
  letGo();
  await until(() => seen.length === 6);
  expect(seen.slice(0, 3)).toEqual(['anonymous opens post', 'post ends: released', 'anonymous opens resumed']);
  // The first connection may end before or after the second is open.
  expect(new Set(seen.slice(3, 5))).toEqual(new Set(['resumed ends: replaced', 'anonymous opens resumed']));
  expect(seen[5]).toBe('resumed ends: answered');
});

it('are told of the streams of HTTP+SSE', async () => {
  await start({ sse: true });
  const client = await listen({}, '/sse');
  await until(() => client.text().includes('event: endpoint'));
  client.leave();
  await until(() => seen.length === 2);
  expect(seen).toEqual(['anonymous opens sse', 'sse ends: client-gone']);
});

it('are told of the limit beyond which answers are aborted', async () => {
  await start({ limits: { unread: 8 * 1024 * 1024 } });
  const body = toolCall('big');
  for (let count = 0; count < 5; count++)
    deaf(
      Buffer.concat(
        Array.from({ length: 20 }, () =>
          bytesOf(open.port, { headers: { ...headersOf('big'), Connection: 'keep-alive' }, body }),
        ),
      ),
    );
  await until(() => seen.some((line) => line.includes('limit')));
  expect(seen).toContain('post ends: limit limits.unread');
});
