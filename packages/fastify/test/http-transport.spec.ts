/** Streamable HTTP: exchanges, sessions, streams, for clients of every revision at one endpoint. */
import { McpContext, Feature, Tool } from '@sigil-mcp/core';
import { ALL_REVISIONS } from '@sigil-mcp/protocol';
import { ManualClock } from '@sigil-mcp/testing';
import {
  as,
  believing,
  read,
  request,
  serve,
  type HttpAnswer,
  type OpenServer,
} from '../../../test/behaviour/http/http-server';
import { serverEnds } from '../../../test/behaviour/http/raw-request';
import { turn } from '../../../test/support/turn';
import { until } from '../../../test/support/until';

const HANDSHAKES = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const NEWEST = '2026-07-28';

@Feature()
class Shop {
  static waiting = 0;
  static readonly aborted: string[] = [];
  /** Lets the call go on that is in the middle of its work; undefined before it is there. */
  static goOn: (() => void) | undefined;

  @Tool('Answers at once')
  now(): string {
    return 'now';
  }

  @Tool('Says something first')
  async later(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    context.log.info('half way');
    await context.progress(2, 2);
    return 'later';
  }

  @Tool('Waits until it is cancelled')
  async wait(context: McpContext): Promise<string> {
    await new Promise<void>((resolve) => {
      Shop.waiting += 1;
      context.signal.addEventListener('abort', () => {
        // The reason of our signals is always an error.
        Shop.aborted.push((context.signal.reason as Error).message);
        resolve();
      });
    });
    return 'waited';
  }

  @Tool('Lets the connection go')
  async release(context: McpContext): Promise<string> {
    context.releaseStream();
    await new Promise<void>((resolve) => (Shop.goOn = resolve));
    return 'released';
  }

  @Tool('Works in silence, then speaks')
  async slowly(context: McpContext): Promise<string> {
    await context.progress(1);
    await new Promise<void>((resolve) => (Shop.goOn = resolve));
    await context.progress(2);
    return 'slowly';
  }
}

let open: OpenServer;

async function start(options?: Parameters<typeof serve>[1]): Promise<OpenServer> {
  open = await serve({ features: [Shop] }, options);
  return open;
}

beforeEach(() => (Shop.goOn = undefined));
afterEach(() => open.close());

const call = (name: string, meta: object = { progressToken: 'p' }): object =>
  request(1, 'tools/call', { name, _meta: meta });
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
  progressToken: 'p',
};
const newest = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': NEWEST,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});
const alone = (name: string): Promise<HttpAnswer> => open.post(call(name, META), newest('tools/call', name));
const type = ({ headers }: HttpAnswer): string | undefined => headers.get('content-type')?.split(';')[0];

describe('an exchange', () => {
  it('is JSON when the handler only answers, on every revision', async () => {
    await start();
    for (const version of HANDSHAKES) {
      const session = await open.initialize(version);
      const answer = await open.post(call('now'), session);
      expect([answer.status, type(answer)]).toEqual([200, 'application/json']);
      expect(answer.messages).toMatchObject([{ id: 1, result: { content: [{ text: 'now' }] } }]);
    }
    const answer = await alone('now');
    expect([answer.status, type(answer)]).toEqual([200, 'application/json']);
    expect(ALL_REVISIONS).toHaveLength(HANDSHAKES.length + 1);
  });

  it('becomes a stream when the handler says something first, and ends with the answer', async () => {
    await start();
    for (const version of HANDSHAKES) {
      const answer = await open.post(call('later'), await open.initialize(version));
      expect([answer.status, type(answer)]).toEqual([200, 'text/event-stream']);
      expect(answer.headers.get('x-accel-buffering')).toBe('no');
      expect(answer.messages.map(({ method, id }) => method ?? id)).toEqual([
        'notifications/progress',
        'notifications/message',
        'notifications/progress',
        1,
      ]);
    }
    const answer = await alone('later');
    expect(type(answer)).toBe('text/event-stream');
    expect(answer.text).not.toMatch(/^id:/m);
    expect(answer.messages.map(({ method, id }) => method ?? id)).toEqual([
      'notifications/progress',
      'notifications/progress',
      1,
    ]);
  });

  it('is always a stream for those who want that, except where the status says more', async () => {
    await start({ stream: 'always' });
    const answer = await alone('now');
    expect([type(answer), answer.messages]).toMatchObject(['text/event-stream', [{ id: 1 }]]);
    expect((await open.post(request(1, 'nobody/knows', { _meta: META }), newest('nobody/knows'))).status).toBe(404);
  });

  it('has no body for notifications and responses', async () => {
    await start();
    const session = await open.initialize();
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 5, result: {} },
    ]) {
      const answer = await open.post(message, session);
      expect([answer.status, answer.text]).toEqual([202, '']);
    }
    expect(
      (
        await open.post(
          { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
          newest('notifications/cancelled'),
        )
      ).status,
    ).toBe(202);
  });

  it('answers batches in the revision that has them, and in no other', async () => {
    await start();
    const batch = [
      request(1, 'ping'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      request(2, 'tools/list'),
    ];
    for (const version of HANDSHAKES) {
      const answer = await open.post(batch, await open.initialize(version));
      if (version === '2025-03-26') expect(answer.messages.map(({ id }) => id)).toEqual([1, 2]);
      else expect([answer.status, answer.messages[0]?.error?.code]).toEqual([400, -32600]);
    }
    const session = await open.initialize('2025-03-26');
    expect((await open.post([{ jsonrpc: '2.0', method: 'notifications/initialized' }], session)).status).toBe(202);
    expect((await open.post(batch, newest('tools/list'))).status).toBe(400);
  });

  it('keeps silent streams alive with comments [HTTP-017]', async () => {
    const clock = new ManualClock();
    open = await serve({ features: [Shop], clock }, { keepAliveInterval: 20 });
    const answer = alone('slowly');
    await until(() => Shop.goOn !== undefined);
    await clock.advance(20);
    Shop.goOn?.();
    expect((await answer).text).toContain(': keep-alive\n\n');
  });
});

describe('a session', () => {
  it('has an id that cannot be guessed, checks it, and is over after DELETE', async () => {
    await start();
    const session = await open.initialize();
    expect(session['mcp-session-id']).toMatch(/^[\x21-\x7e]{32,}$/);
    expect((await open.post(request(1, 'tools/list'), session)).status).toBe(200);
    expect((await open.post(request(1, 'tools/list'))).status).toBe(400);
    const foreign = await open.post(request(7, 'tools/list'), { 'mcp-session-id': 'guessed' });
    expect([foreign.status, foreign.messages]).toMatchObject([404, [{ id: 7, error: { code: -32600 } }]]);
    expect((await fetch(open.url, { method: 'DELETE', headers: session })).status).toBe(204);
    expect((await open.post(request(1, 'tools/list'), session)).status).toBe(404);
    expect((await fetch(open.url, { method: 'DELETE', headers: session })).status).toBe(404);
  });

  it('can be opened with the id of one that is over', async () => {
    await start();
    const answer = await open.post(
      request(1, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      }),
      { 'mcp-session-id': 'stale', 'mcp-protocol-version': '2025-11-25' },
    );
    expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, expect.not.stringMatching('stale')]);
  });

  it('refuses the version of another revision', async () => {
    await start();
    const session = await open.initialize('2025-06-18');
    expect((await open.post(request(1, 'ping'), { ...session, 'mcp-protocol-version': '2025-06-18' })).status).toBe(
      200,
    );
    expect((await open.post(request(1, 'ping'), { ...session, 'mcp-protocol-version': '2025-03-26' })).status).toBe(
      400,
    );
    expect((await open.post(request(1, 'ping'), { ...session, 'mcp-protocol-version': 'nonsense' })).status).toBe(400);
  });

  it('is closed when it is idle, and makes room when there are too many', async () => {
    const clock = new ManualClock();
    open = await serve(
      { features: [Shop], clock },
      { sessions: { idleTime: 2000 }, limits: { sessions: 2, sessionsPerClient: 2 } },
    );
    const [first, second] = [await open.initialize(), await open.initialize()];
    const third = await open.initialize();
    expect((await open.post(request(1, 'ping'), first)).status).toBe(404);
    expect((await open.post(request(1, 'ping'), second)).status).toBe(200);
    expect((await open.post(request(1, 'ping'), third)).status).toBe(200);
    await clock.advance(3000);
    expect((await open.post(request(1, 'ping'), third)).status).toBe(404);
  });

  it('has one stream of its own at a time: the newest', async () => {
    await start();
    const session = { ...(await open.initialize()), accept: 'text/event-stream' };
    const stream = await fetch(open.url, { headers: session });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const newer = await fetch(open.url, { headers: session });
    expect(newer.status).toBe(200);
    await stream.text();
    await newer.body?.cancel();
  });

  it('belongs to the principal who opened it', async () => {
    await start({
      auth: believing,
    });
    const init = request(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    });
    const { headers } = await open.post(init, as('ada'));
    const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    expect((await open.post(request(1, 'ping'), { ...session, ...as('ada') })).status).toBe(200);
    expect((await open.post(request(1, 'ping'), { ...session, ...as('eve') })).status).toBe(404);
  });

  it('is not needed where sessions are off', async () => {
    await start({ sessions: false });
    expect(await open.initialize()).toEqual({});
    const answer = await open.post(request(1, 'tools/list'), { 'mcp-protocol-version': '2025-06-18' });
    expect(answer.messages).toMatchObject([{ id: 1, result: { tools: expect.any(Array) } }]);
    expect((await open.post(request(1, 'tools/list'))).status).toBe(200);
    expect((await open.post(request(1, 'tools/list'), { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect((await fetch(open.url, { headers: { accept: 'text/event-stream' } })).status).toBe(405);
  });
});

describe('changes', () => {
  const listChanged = { method: 'notifications/tools/list_changed' };
  const addTool = (name: string): void =>
    open.server.registry.add({ kind: 'tool', name, description: 'Added', handler: () => 'x' });

  it('reach a session on its own stream and on no other, at once or when it opens one', async () => {
    await start();
    const session = await open.initialize();
    const answer = await open.post(call('later'), session);
    addTool('first');
    await turn();
    addTool('second');
    await turn();
    const stream = await fetch(open.url, { headers: { ...session, accept: 'text/event-stream' } });
    addTool('third');
    await turn();
    // The end of the server is the end of its streams, after everything that was said on them.
    const [text] = await Promise.all([stream.text(), open.close()]);
    expect(text.match(/tools\/list_changed/g)).toHaveLength(2);
    expect(answer.messages).not.toContainEqual(expect.objectContaining(listChanged));
  });

  it('reach a subscription as long as its request is open, and end with the server', async () => {
    await start();
    const body = request(7, 'subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: META });
    const headers = {
      ...newest('subscriptions/listen'),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const response = await fetch(open.url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    addTool('new');
    await turn();
    void open.close();
    const { messages } = await read(response);
    const tag = { _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } };
    expect(messages).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: tag },
      { ...listChanged, params: tag },
      { id: 7, result: { resultType: 'complete', ...tag } },
    ]);
  });
});

describe('a broken stream', () => {
  const lines = (text: string, field: string): string[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${field}: `))
      .map((line) => line.slice(field.length + 2));

  it('goes on where it stopped, for the events of that stream only', async () => {
    await start();
    const session = await open.initialize('2025-06-18');
    const one = await open.post(call('later'), session);
    const other = await open.post(call('later'), session);
    const ids = lines(one.text, 'id');
    expect(new Set([...ids, ...lines(other.text, 'id')]).size).toBe(8);
    const replay = await read(
      await fetch(open.url, { headers: { ...session, accept: 'text/event-stream', 'last-event-id': ids[1] ?? '' } }),
    );
    expect(lines(replay.text, 'id')).toEqual(ids.slice(2));
    expect(replay.messages.at(-1)).toMatchObject({ id: 1, result: {} });
  });

  it('is none of another session', async () => {
    await start();
    const [one, other] = [await open.initialize(), await open.initialize()];
    const ids = lines((await open.post(call('later'), one)).text, 'id');
    const stolen = await fetch(open.url, {
      headers: { ...other, accept: 'text/event-stream', 'last-event-id': ids[0] ?? '' },
    });
    expect([stolen.status, lines(await stolen.text(), 'id')]).toEqual([410, []]);
  });

  it('opens with an empty event and a retry for clients that may poll, and for no others', async () => {
    await start({ retryInterval: 250 });
    for (const version of HANDSHAKES) {
      const { text } = await open.post(call('later'), await open.initialize(version));
      expect(/^retry: 250\nid: \S+\ndata: \n\n/.test(text)).toBe(version === '2025-11-25');
    }
  });

  it('may be let go by the handler; the client comes back for the answer', async () => {
    await start();
    const session = await open.initialize();
    const released = await open.post(call('release'), session);
    expect([type(released), released.messages]).toEqual(['text/event-stream', []]);
    const [id = ''] = lines(released.text, 'id');
    const resumed = await fetch(open.url, {
      headers: { ...session, accept: 'text/event-stream', 'last-event-id': id },
    });
    Shop.goOn?.();
    const rest = await read(resumed);
    expect(rest.messages).toMatchObject([{ id: 1, result: { content: [{ text: 'released' }] } }]);
  });

  it('does not cancel the call in a session, but does where a request stands alone', async () => {
    await start();
    const ends = serverEnds(open);
    const session = await open.initialize();
    Shop.aborted.length = Shop.waiting = 0;
    const inSession = new AbortController();
    void fetch(open.url, {
      method: 'POST',
      signal: inSession.signal,
      headers: { ...session, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(call('wait')),
    }).catch(() => undefined);
    const standing = new AbortController();
    void fetch(open.url, {
      method: 'POST',
      signal: standing.signal,
      headers: {
        ...newest('tools/call', 'wait'),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(call('wait', META)),
    }).catch(() => undefined);
    await until(() => Shop.waiting === 2);
    inSession.abort();
    standing.abort();
    await until(() => ends.filter(({ destroyed }) => destroyed).length === 2);
    await turn();
    expect(Shop.aborted).toEqual(['The client closed the connection.']);
    await open.post(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } },
      session,
    );
    expect(Shop.aborted).toHaveLength(2);
  });
});
