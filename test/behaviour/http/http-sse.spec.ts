/** The HTTP+SSE transport of the oldest revision: a stream, and a place to post to. */
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import { validateMessage } from '../../support/supplies/judge-message';
import { as, believing, request, serve, type Message, type OpenServer } from './http-server';
import { ask, dial, until } from './raw-request';
import { revisionsOf } from '../../support/each-revision';

const HANDSHAKES = revisionsOf({ until: '2025-11-25' });

@Feature()
class Shop {
  static readonly aborted: string[] = [];

  @Tool('Says something first')
  async later(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    return 'later';
  }

  @Tool('Says a million letters')
  much(): string {
    return 'x'.repeat(1_000_000);
  }

  @Tool('Waits')
  async wait(context: McpContext): Promise<string> {
    await new Promise<void>((resolve) =>
      context.signal.addEventListener('abort', () => {
        Shop.aborted.push((context.signal.reason as Error).message);
        resolve();
      }),
    );
    return 'waited';
  }
}

let open: OpenServer;
const start = async (options: Parameters<typeof serve>[1] = { sse: true }): Promise<void> => {
  Shop.aborted.length = 0;
  open = await serve({ features: [Shop], shutdownDeadline: 50 }, options);
};
afterEach(() => open.close());

/** An open stream, as a client reads it. */
class Stream {
  readonly events: { event: string; data: string }[] = [];
  readonly #controller = new AbortController();

  static async open(headers: Record<string, string> = {}, path = '/sse'): Promise<Stream> {
    const stream = new Stream();
    const response = await fetch(new URL(path, open.url), {
      headers: { accept: 'text/event-stream', ...headers },
      signal: stream.#controller.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    void stream.#read(response).catch(() => undefined);
    await until(() => stream.events.length > 0);
    return stream;
  }

  get endpoint(): string {
    return this.events[0]?.data ?? '';
  }

  get messages(): Message[] {
    return this.events.slice(1).map(({ data }) => JSON.parse(data) as Message);
  }

  async post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return fetch(new URL(this.endpoint, open.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    });
  }

  async answer(id: unknown): Promise<Message> {
    await until(() => this.messages.some((message) => message.id === id));
    return this.messages.find((message) => message.id === id) ?? {};
  }

  close(): void {
    this.#controller.abort();
  }

  async #read(response: Response): Promise<void> {
    let rest = '';
    for await (const chunk of response.body ?? []) {
      rest += Buffer.from(chunk as Uint8Array).toString('utf8');
      const frames = rest.split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames.filter((text) => !text.startsWith(':'))) {
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(frame) ?? [];
        this.events.push({ event, data });
      }
    }
  }
}

const init = (version: string): object =>
  request(0, 'initialize', { protocolVersion: version, capabilities: {}, clientInfo: { name: 'old', version: '1' } });

describe('a stream', () => {
  it.each(HANDSHAKES)(
    'begins with the endpoint, and carries the answers to what is posted there: %s [SSE-001, SSE-002, SSE-003, SSE-004, SSE-005]',
    async (version) => {
      await start();
      const stream = await Stream.open();
      expect(stream.events).toEqual([
        { event: 'endpoint', data: expect.stringMatching(/^\/messages\?sessionId=[\w-]{32}$/) as string },
      ]);
      const accepted = await stream.post(init(version));
      expect([accepted.status, await accepted.text()]).toEqual([202, '']);
      expect((await stream.answer(0)).result).toMatchObject({ protocolVersion: version });
      await stream.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await stream.post(request('c', 'tools/call', { name: 'later', _meta: { progressToken: 'p' } }));
      expect((await stream.answer('c')).result).toMatchObject({ content: [{ text: 'later' }] });
      expect(stream.messages.map(({ id, method }) => method ?? id)).toEqual([0, 'notifications/progress', 'c']);
      expect(new Set(stream.events.slice(1).map(({ event }) => event))).toEqual(new Set(['message']));
      expect(stream.messages.flatMap((message) => validateMessage(version, message))).toEqual([]);
      stream.close();
    },
  );

  it('answers what is no message too, on the stream', async () => {
    await start();
    const stream = await Stream.open();
    await stream.post(init('2024-11-05'));
    await stream.answer(0);
    expect((await stream.post('{')).status).toBe(202);
    expect((await stream.post(request('u', 'nobody/knows'))).status).toBe(202);
    expect((await stream.answer('u')).error?.code).toBe(-32601);
    expect(stream.messages.map(({ error }) => error?.code)).toEqual([undefined, -32700, -32601]);
    stream.close();
  });

  it('is the session: with it the calls end, and the id is good no more', async () => {
    await start();
    const stream = await Stream.open();
    await stream.post(init('2024-11-05'));
    await stream.answer(0);
    await stream.post(request(1, 'tools/call', { name: 'wait' }));
    stream.close();
    await until(() => Shop.aborted.length === 1);
    expect(Shop.aborted).toEqual(['The client closed the connection.']);
    const late = await stream.post(request(2, 'ping'));
    expect([late.status, await late.json()]).toMatchObject([404, { error: { code: -32600 } }]);
  });

  it('belongs to who opened it', async () => {
    await start({
      sse: true,
      auth: believing,
    });
    const stream = await Stream.open(as('ada'));
    expect((await stream.post(init('2024-11-05'), as('eve'))).status).toBe(404);
    expect((await stream.post(init('2024-11-05'), as('ada'))).status).toBe(202);
    stream.close();
  });

  it('is refused when there are too many', async () => {
    await start({ sse: true, limits: { streams: 2, streamsPerClient: 2 } });
    const [one, two] = [await Stream.open(), await Stream.open()];
    const refused = await ask(open, { method: 'GET', target: '/sse' });
    expect([refused.status, refused.headers.get('retry-after'), refused.message?.error?.code]).toEqual([
      503,
      '1',
      -32603,
    ]);
    one.close();
    await until(
      async () =>
        (
          await fetch(new URL(one.endpoint, open.url), {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{}',
          })
        ).status === 404,
    );
    (await Stream.open()).close();
    two.close();
  });

  it('that its client does not read is not filled without end', async () => {
    await start();
    const socket = await dial(open.port);
    socket.write('GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n');
    const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    socket.pause();
    const [, endpoint = ''] = /data: (\S+)/.exec(first.toString()) ?? [];
    const statuses: number[] = [];
    const clientInfo = { name: 'unread', version: '1' };
    const initialize = request(0, 'initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo });
    for (let round = 0; round < 60 && statuses.at(-1) !== 503; round++) {
      const response = await fetch(new URL(endpoint, open.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(round === 0 ? initialize : request(round, 'tools/call', { name: 'much', arguments: {} })),
      });
      statuses.push(response.status);
      await response.text();
    }
    expect(statuses.at(-1)).toBe(503);
    socket.destroy();
  });

  it('may be elsewhere', async () => {
    await start({ sse: { path: '/events', messagesPath: '/inbox' } });
    const stream = await Stream.open({}, '/events');
    expect(stream.endpoint).toMatch(/^\/inbox\?sessionId=/);
    stream.close();
  });

  it('is where clients know it, behind a proxy that takes a part of the path off', async () => {
    await start({ sse: { publicMessagesPath: '/api/messages' } });
    const stream = await Stream.open();
    expect(stream.endpoint).toMatch(/^\/api\/messages\?sessionId=/);
    stream.close();
  });

  it.each([
    ['https://tools.example/api/mcp', '/api/messages'],
    ['https://tools.example/mcp', '/messages'],
    ['https://tools.example/other', '/messages'],
    ['https://tools.example', '/messages'],
  ])('is found by the resource that tokens are for: %s', async (resource, path) => {
    const authorizationServers = ['https://login.example'];
    await start({ sse: true, auth: { ...believing, resource, authorizationServers } });
    const stream = await Stream.open(as('ada'));
    expect(stream.endpoint.split('?')[0]).toBe(path);
    stream.close();
  });
});

describe('its checks', () => {
  it('are those of every path', async () => {
    await start();
    const target = '/messages?sessionId=x';
    const cases = [
      [{ method: 'GET', target: '/sse', headers: { Host: 'evil.example' } }, 421],
      [{ method: 'GET', target: '/sse', headers: { Origin: 'https://evil.example' } }, 403],
      [{ method: 'GET', target: '/sse', headers: { Accept: 'application/json' } }, 406],
      [{ method: 'POST', target: '/sse', body: {} }, 405],
      [{ method: 'DELETE', target: '/sse' }, 405],
      [{ method: 'GET', target }, 405],
      [{ target, body: {}, headers: { Host: 'evil.example' } }, 421],
      [{ target, body: {}, headers: { Origin: 'null' } }, 403],
      [{ target, body: {}, headers: { 'Content-Type': 'text/plain' } }, 415],
      [{ target, body: {}, headers: { 'Content-Encoding': 'gzip' } }, 415],
      [{ target, body: {} }, 404],
      [{ target: '/messages', body: {} }, 400],
      [{ target: '/messages?sessionId=a&sessionId=b', body: {} }, 400],
    ] as const;
    for (const [sent, status] of cases) {
      const answer = await ask(open, sent);
      expect([sent, answer.status, answer.message?.error?.code]).toEqual([sent, status, -32600]);
    }
  });

  it('come first to whether it is there at all: it is off unless wanted [SSE-006]', async () => {
    await start({});
    expect((await ask(open, { method: 'GET', target: '/sse' })).status).toBe(404);
    expect((await ask(open, { target: '/messages', body: {} })).status).toBe(404);
  });
});
