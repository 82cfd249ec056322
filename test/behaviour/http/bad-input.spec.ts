/** Bodies, heads and connections that are broken: a clear answer each time, and the next request is served. */
import { Feature, Tool } from '@sigil-mcp/core';
import { request, serve, type OpenServer, itWithTransport } from './http-server';
import { ask, bytesOf, dial, readAnswer, until, type RawAnswer, type RawRequest } from './raw-request';

const NEWEST = '2026-07-28';
const META = { 'io.modelcontextprotocol/protocolVersion': NEWEST, 'io.modelcontextprotocol/clientCapabilities': {} };
const LIMIT = 4096;

@Feature()
class Idle {
  @Tool('Answers')
  answer(): string {
    return 'answered';
  }
}

let open: OpenServer;
const start = async (options: Parameters<typeof serve>[1] = {}): Promise<void> => {
  open = await serve({ features: [Idle] }, { bodyLimit: LIMIT, ...options });
};
afterEach(() => open.close());

const good = (id: unknown = 1): RawRequest => ({
  headers: { 'MCP-Protocol-Version': NEWEST, 'Mcp-Method': 'tools/list' },
  body: request(id, 'tools/list', { _meta: META }),
});
const withBody = (body: unknown): RawRequest => ({ ...good(), body });
const judge = ({ status, message }: RawAnswer): unknown[] => [status, message?.error?.code, message?.id];

async function expectAlive(): Promise<void> {
  expect((await ask(open, good())).status).toBe(200);
}

describe('a body', () => {
  beforeEach(() => start());

  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['white space', ' \r\n '],
    ['malformed JSON', '{"jsonrpc":"2.0","id":1,'],
    ['JSON and more', '{"jsonrpc":"2.0","id":1,"method":"ping"} x'],
    ['a null byte', '\0'],
    ['a byte order mark and nothing', '\ufeff'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['half a character', Buffer.from([0x22, 0xc3])],
    ['UTF-16', Buffer.from('{"jsonrpc":"2.0"}', 'utf16le')],
    ['gzip under a false flag', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])],
    ['brackets without end', '['.repeat(4000)],
  ])('that is no JSON is answered with 400 and -32700: %s [BASE-002, BASE-014]', async (_what, body) => {
    expect(judge(await ask(open, withBody(body)))).toEqual([400, -32700, undefined]);
    await expectAlive();
  });

  it.each([
    ['2024-11-05', null],
    ['2025-03-26', null],
    ['2025-06-18', null],
    ['2025-11-25', undefined],
  ])(
    'that cannot be read has the id that a session of %s writes for an unknown one [BASE-002]',
    async (version, id) => {
      const session = await open.initialize(version);
      const broken = { ...good(), headers: { 'Mcp-Session-Id': session['mcp-session-id'] }, body: '{' };
      expect(judge(await ask(open, broken))).toEqual([400, -32700, id]);
    },
  );

  it.each<[string, unknown, unknown]>([
    ['a number', '5', undefined],
    ['null', 'null', undefined],
    ['deep arrays', `${'['.repeat(2000)}${']'.repeat(2000)}`, undefined],
    ['deep objects', '{"a":'.repeat(600) + '1' + '}'.repeat(600), undefined],
    ['no jsonrpc', { id: 'r', method: 'ping' }, 'r'],
    ['a null id', { jsonrpc: '2.0', id: null, method: 'ping' }, undefined],
    ['a fraction as id', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, undefined],
    ['no method', { jsonrpc: '2.0', id: 'r' }, 'r'],
    ['a method that is no text', { jsonrpc: '2.0', id: 'r', method: 5 }, 'r'],
    ['params that are text', { jsonrpc: '2.0', id: 'r', method: 'ping', params: 'x' }, 'r'],
    [
      'a response with a result and an error',
      { jsonrpc: '2.0', id: 'r', result: {}, error: { code: 1, message: 'x' } },
      'r',
    ],
    ['an empty batch', [], undefined],
    ['a batch', [request(1, 'tools/list', { _meta: META })], undefined],
  ])(
    'that is JSON but no message is answered with 400 and -32600: %s [BASE-007, BASE-015, BASE-017]',
    async (_what, body, id) => {
      expect(judge(await ask(open, withBody(body)))).toEqual([400, -32600, id]);
      await expectAlive();
    },
  );

  it('may nest its arguments as deep as limits.nesting says, and no deeper', async () => {
    const nested = (levels: number): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"answer","arguments":${'{"a":'.repeat(levels - 2)}1${'}'.repeat(levels - 2)},"_meta":${JSON.stringify(META)}}}`;
    const headers = { 'MCP-Protocol-Version': NEWEST, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'answer' };
    expect((await ask(open, { headers, body: nested(200) })).message?.result).toMatchObject({ isError: true });
    const refused = await ask(open, { headers, body: nested(201) });
    expect([refused.status, refused.message]).toMatchObject([
      400,
      { id: 1, error: { code: -32600, message: 'A message may be nested 200 levels deep (limits.nesting)' } },
    ]);
  });

  it('of exactly the limit is read, of one byte more is not', async () => {
    const text = JSON.stringify(good().body);
    expect((await ask(open, withBody(text.padEnd(LIMIT)))).status).toBe(200);
    const { status, message } = await ask(open, withBody(text.padEnd(LIMIT + 1)));
    expect([status, message?.error?.code, message?.error?.message]).toEqual([
      413,
      -32600,
      expect.stringMatching(/4096.*bodyLimit/),
    ]);
    await expectAlive();
  });

  it('that is announced as too large is refused before it comes', async () => {
    const answer = await ask(open, { headers: { ...good().headers, 'Content-Length': '999999999' } });
    expect(judge(answer)).toEqual([413, -32600, undefined]);
  });

  it('that grows too large in chunks is refused, and the connection is usable or closed', async () => {
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
    const head = bytesOf(open.port, {
      headers: {
        ...good().headers,
        'Content-Length': undefined,
        'Transfer-Encoding': 'chunked',
        Connection: 'keep-alive',
      },
    });
    const next = bytesOf(open.port, good());
    const text = await open.raw(Buffer.concat([head, Buffer.from(`${chunk.repeat(200)}0\r\n\r\n`), next]));
    expect(readAnswer(text.split('HTTP/1.1 200')[0] ?? '').status).toBe(413);
    const answers = text.match(/HTTP\/1\.1 \d+/g);
    expect([['HTTP/1.1 413'], ['HTTP/1.1 413', 'HTTP/1.1 200']]).toContainEqual(answers);
    await expectAlive();
  });

  it('in chunks is read as any other', async () => {
    const text = JSON.stringify(good().body);
    const headers = { ...good().headers, 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
    expect((await ask(open, { headers, body: `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n` })).status).toBe(
      200,
    );
  });

  it('that its client breaks off harms nobody', async () => {
    for (let count = 0; count < 50; count++) {
      const socket = await dial(open.port);
      socket.write(bytesOf(open.port, { headers: { ...good().headers, 'Content-Length': '500' }, body: '{"jsonrpc"' }));
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (count % 2) socket.destroy();
      else socket.end();
    }
    await expectAlive();
    await until(async () => !(await hasConnections(open)));
  });

  it('is asked for where the client waits to be asked', async () => {
    const socket = await dial(open.port);
    let text = '';
    socket.on('data', (data) => (text += data.toString()));
    const { body, headers } = good();
    const content = JSON.stringify(body);
    socket.write(
      bytesOf(open.port, { headers: { ...headers, Expect: '100-continue', 'Content-Length': String(content.length) } }),
    );
    await until(() => text.includes('100 Continue'));
    socket.write(content);
    await until(() => text.includes('200 OK'));
    socket.destroy();
  });

  itWithTransport()('with an expectation that nobody knows is refused in JSON-RPC', async () => {
    expect(judge(await ask(open, { ...good(), headers: { ...good().headers, Expect: 'miracles' } }))).toEqual([
      417,
      -32600,
      undefined,
    ]);
  });
});

const hasConnections = ({ http }: OpenServer): Promise<boolean> =>
  new Promise((resolve) => http.getConnections((_error, count) => resolve(count > 0)));

describe('a batch', () => {
  const init = { jsonrpc: '2.0', method: 'notifications/initialized' };
  beforeEach(() => start());

  it('is answered in the revision that has them: every request, and what is no message [BASE-016]', async () => {
    const session = await open.initialize('2025-03-26');
    const { message, body, status } = await ask(open, {
      headers: session,
      body: [request(1, 'ping'), init, 5, request('x', 'nobody/knows'), request(2, 'initialize', {})],
    });
    expect([status, message]).toEqual([200, undefined]);
    const answers = JSON.parse(body) as { id?: unknown; error?: { code: number }; result?: object }[];
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, undefined],
      [null, -32600],
      ['x', -32601],
      [2, -32600],
    ]);
  });

  it('is answered where there are no sessions too, under the revision that is assumed [BASE-016, HTTP-023, HTTP-029]', async () => {
    await open.close();
    await start({ sessions: false });
    for (const headers of [{}, { 'MCP-Protocol-Version': '2025-03-26' }]) {
      expect(
        JSON.parse((await ask(open, { headers, body: [request(1, 'ping'), request(2, 'ping')] })).body),
      ).toHaveLength(2);
    }
    expect(
      judge(await ask(open, { headers: { 'MCP-Protocol-Version': '2025-06-18' }, body: [request(1, 'ping')] })),
    ).toEqual([400, -32600, null]);
    expect(
      judge(await ask(open, { headers: { 'MCP-Protocol-Version': 'nonsense' }, body: [request(1, 'ping')] })),
    ).toEqual([400, -32600, undefined]);
  });

  it('is refused if one of it names its revision itself [BASE-017]', async () => {
    const session = await open.initialize('2025-03-26');
    expect(
      judge(
        await ask(open, { headers: session, body: [request(1, 'ping'), request(2, 'tools/list', { _meta: META })] }),
      ),
    ).toEqual([400, -32600, null]);
  });

  it('of messages that nobody answers has no body [HTTP-007, BASE-010]', async () => {
    const session = await open.initialize('2025-03-26');
    const { status, body } = await ask(open, { headers: session, body: [init, { jsonrpc: '2.0', id: 1, result: {} }] });
    expect([status, body]).toEqual([202, '']);
  });
});

describe('a connection', () => {
  itWithTransport().each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['another protocol', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), 400],
    ['a broken head', 'POST /mcp HTTP/1.1\r\nHost localhost\r\n\r\n', 400],
    [
      'two lengths',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a length that is none', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n', 400],
    [
      'a broken chunk',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
      400,
    ],
    ['a head beyond all measure', `POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ])('that brings %s is answered in JSON-RPC and closed', async (_what, bytes, status) => {
    await start();
    const answer = readAnswer(await open.raw(bytes));
    expect([answer.headers.get('content-type'), answer.headers.get('connection')]).toEqual([
      'application/json',
      'close',
    ]);
    expect(judge(answer)).toEqual([status, -32600, undefined]);
    await expectAlive();
  });

  it('may carry several requests at once', async () => {
    await start();
    const keep = { Connection: 'keep-alive' };
    const pipelined = [good(1), withBody('{'), good('three')].map((sent) =>
      bytesOf(open.port, { ...sent, headers: { ...sent.headers, ...keep } }),
    );
    const text = await open.raw(Buffer.concat([...pipelined, bytesOf(open.port, good(4))]));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400', 'HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(text.match(/"id":[^,}]+/g)).toEqual(['"id":1', '"id":"three"', '"id":4']);
  });

  itWithTransport().each<[string, (port: number) => Buffer]>([
    ['of nothing', () => Buffer.alloc(0)],
    ['of a head', (port) => bytesOf(port, good()).subarray(0, 30)],
    [
      'of a body',
      (port) =>
        bytesOf(port, {
          headers: { ...good().headers, 'Content-Length': '500', Connection: 'keep-alive' },
          body: '{"json',
        }),
    ],
  ])('that waits for the rest %s is answered with 408 in time, and closed', async (_what, bytes) => {
    await start({ requestTimeout: 300 });
    const answer = readAnswer(await open.raw(bytes(open.port)));
    expect(judge(answer)).toEqual([408, -32600, undefined]);
    await expectAlive();
  });

  itWithTransport()('that drips its body does not stay for longer', async () => {
    await start({ requestTimeout: 300 });
    const socket = await dial(open.port);
    socket.on('error', () => undefined);
    socket.write(bytesOf(open.port, { headers: { ...good().headers, 'Content-Length': '5000' } }));
    const drip = setInterval(() => socket.write(' '), 20);
    await new Promise((resolve) => socket.once('data', resolve));
    await until(async () => !(await hasConnections(open)));
    clearInterval(drip);
  });

  itWithTransport()('to a path that nobody serves is answered in JSON-RPC', async () => {
    await start();
    for (const target of ['/', '/mcpx', '/mcp/more', '/sse', '/messages?sessionId=x', '/%00', '//mcp']) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await ask(open, { ...good(), method, target });
        expect([target, method, answer.status, answer.message?.error?.code]).toEqual([target, method, 404, -32600]);
      }
    }
    expect(judge(await ask(open, { ...good(), target: '/%' }))).toEqual([400, -32600, undefined]);
    expect((await ask(open, { ...good(), target: '/mcp/?x=1' })).status).toBe(200);
  });
});

it.each([undefined, '2025-06-18', '2025-11-25'])(
  'where there are no sessions, a method that a revision of %s does not have is an unknown one',
  async (version) => {
    await start({ sessions: false });
    const headers = { 'MCP-Protocol-Version': version };
    for (const method of ['server/discover', 'subscriptions/listen']) {
      expect(judge(await ask(open, { headers, body: request(1, method, {}) }))).toEqual([200, -32601, 1]);
    }
  },
);
