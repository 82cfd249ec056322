/** The checks of an HTTP request: each refusal, and their order, on real sockets. */
import { Feature, McpHeader, Tool } from '@sigil-mcp/core';
import { IsOptional, IsString } from 'class-validator';
import { as, believing, request, serve, type OpenServer, itOnNode } from './http-server';
import { ask as send, type RawAnswer, type RawRequest } from './raw-request';
import { validateMessage } from '../../support/supplies/judge-message';

const NEWEST = '2026-07-28';

class Region {
  @McpHeader('Region') @IsString() region!: string;
  @IsOptional() @IsString() note?: string;
}

@Feature()
class Atlas {
  @Tool('Looks a region up')
  look({ region }: Region): string {
    return region;
  }
}

/** Sends a request of Ada's, unless it says otherwise. */
const ask = (server: OpenServer, sent: RawRequest): Promise<RawAnswer> =>
  send(server, { ...sent, headers: { ...as('ada'), ...sent.headers } });

let open: OpenServer;
beforeAll(async () => {
  open = await serve(
    { features: [Atlas] },
    {
      allowedOrigins: ['https://chat.example'],
      bodyLimit: 10_000,
      auth: believing,
    },
  );
});
afterAll(() => open.close());

const META = { 'io.modelcontextprotocol/protocolVersion': NEWEST, 'io.modelcontextprotocol/clientCapabilities': {} };
const look = (extra: object = {}): object =>
  request(7, 'tools/call', { name: 'look', arguments: { region: 'eu' }, _meta: META, ...extra });
const HEADERS = {
  'MCP-Protocol-Version': NEWEST,
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'look',
  'Mcp-Param-Region': 'eu',
};
const list = (headers: RawRequest['headers'] = {}, params: object = { _meta: META }): RawRequest => ({
  headers: { 'MCP-Protocol-Version': NEWEST, 'Mcp-Method': 'tools/list', ...headers },
  body: request(7, 'tools/list', params),
});
const calling = (headers: RawRequest['headers'] = {}, body: unknown = look()): RawRequest => ({
  headers: { ...HEADERS, ...headers },
  body,
});

/** Status and code; the body of a refusal is always one JSON-RPC error that its schema accepts. */
function verdict({ status, headers, body, message }: RawAnswer): [number, number | undefined] {
  if (status >= 400 || message?.error) {
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.parse(body)).toMatchObject({
      jsonrpc: '2.0',
      error: { code: expect.any(Number), message: expect.any(String) },
    });
    // The older revisions have no word for an id that is not known; JSON-RPC has null.
    expect(validateMessage(message?.id === null ? '2025-06-18' : NEWEST, message)).toEqual([]);
  }
  return [status, message?.error?.code];
}

async function expectRefusal(sent: RawRequest, status: number, code: number): Promise<RawAnswer> {
  const answer = await ask(open, sent);
  expect(verdict(answer)).toEqual([status, code]);
  return answer;
}

describe('a good request', () => {
  it('is answered, however its headers are written and padded [HTTP-038, HTTP-002]', async () => {
    expect(verdict(await ask(open, calling()))).toEqual([200, undefined]);
    const shouted = Object.fromEntries(
      Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), `  ${value} \t`]),
    );
    expect(verdict(await ask(open, { headers: shouted, body: look() }))).toEqual([200, undefined]);
  });
});

describe('the method of HTTP', () => {
  it.each(['PUT', 'PATCH', 'OPTIONS', 'TRACE'])(
    '%s is refused with 405 and the methods that there are',
    async (method) => {
      // Where origins are named OPTIONS may be a preflight, and is answered as one.
      if (method === 'OPTIONS') expect((await ask(open, { method })).status).toBe(204);
      else expect((await expectRefusal({ method }, 405, -32600)).headers.get('allow')).toBe('POST, GET, DELETE');
    },
  );

  it('HEAD is refused without a body', async () => {
    const { status, headers, body } = await ask(open, { method: 'HEAD' });
    expect([status, headers.get('allow'), body]).toEqual([405, 'POST, GET, DELETE', '']);
  });

  it.each(['GET', 'DELETE'])(
    '%s is refused in the revision that has neither sessions nor streams of its own [HTTP-041]',
    async (method) => {
      const headers = { 'MCP-Protocol-Version': NEWEST, 'Mcp-Session-Id': 'any' };
      expect((await expectRefusal({ method, headers }, 405, -32600)).headers.get('allow')).toBe('POST');
    },
  );

  it('is checked before its body is looked at', async () => {
    await expectRefusal({ method: 'PUT', headers: { 'Content-Length': '99999999' } }, 405, -32600);
  });
});

describe('the Host', () => {
  const port = (): number => open.port;
  itOnNode()('comes once', async () => {
    const twice = { headers: { Host: [`127.0.0.1:${open.port}`, 'evil.example'] } };
    await expectRefusal(twice, 400, -32600);
    await expectRefusal({ headers: { Host: ['evil.example', `127.0.0.1:${open.port}`] } }, 400, -32600);
  });

  it.each([
    ['localhost', () => 'localhost'],
    ['with a port', () => `localhost:${port()}`],
    ['with another port', () => 'localhost:1'],
    ['in capitals', () => 'LOCALHOST'],
    ['IPv4', () => '127.0.0.1'],
    ['IPv6', () => '[::1]'],
    ['IPv6 with a port', () => `[::1]:${port()}`],
  ])('is served: %s', async (_what, host) => {
    expect(verdict(await ask(open, list({ Host: host() })))).toEqual([200, undefined]);
  });

  itOnNode().each([
    'evil.example',
    'localhost.evil.example',
    'localhost:3000.evil',
    '127.0.0.1.evil',
    'localhost@evil',
    'evil@localhost',
    'evil/localhost',
    '',
    '[::1',
    '::1',
    '[::1].evil',
    '[::1]evil',
    '[::2]:3000',
    'localhost:',
    'localhost:port',
    'localhost:3000:3000',
    'localhost.',
    '127.1',
    '0.0.0.0',
    'localhost,evil',
    'xlocalhost',
    '2130706433',
    '127.0.0.1%00.evil',
    '[::ffff:127.0.0.1]:80',
  ])('is refused with its value and the option to name it: %j', async (host) => {
    const { message } = await expectRefusal(list({ Host: host }), 421, -32600);
    expect(message?.error?.message).toContain(JSON.stringify(host));
    expect(message?.error?.message).toContain('allowedHosts');
  });

  itOnNode()('must be there', async () => {
    await expectRefusal(list({ Host: undefined }), 400, -32600);
  });

  itOnNode()('need not be there in HTTP/1.0, but is checked as if it were empty', async () => {
    const { message } = await expectRefusal({ ...list({ Host: undefined }), version: '1.0' }, 421, -32600);
    expect(message?.error?.message).toContain('The Host ""');
  });

  it('is not quoted at any length', async () => {
    const { message } = await expectRefusal(list({ Host: 'e'.repeat(5000) }), 421, -32600);
    expect(message?.error?.message.length).toBeLessThan(400);
  });
});

describe('the Origin', () => {
  it('may be a listed one or the server itself [HTTP-003]', async () => {
    for (const origin of ['https://chat.example', `http://127.0.0.1:${open.port}`]) {
      expect(verdict(await ask(open, list({ Origin: origin })))).toEqual([200, undefined]);
    }
  });

  it.each([
    'https://evil.example',
    'null',
    '',
    'https://chat.example.evil.example',
    'https://chat.example:8443',
    'http://chat.example',
    'https://xchat.example',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    'http://localhost',
    'https://chat.example/',
    'HTTPS://CHAT.EXAMPLE',
    'file://',
  ])('is refused otherwise, with its value and the option to name it: %j [HTTP-003, HTTP-004]', async (origin) => {
    const { message } = await expectRefusal(list({ Origin: origin }), 403, -32600);
    expect(message?.error?.message).toContain(JSON.stringify(origin));
    expect(message?.error?.message).toContain('allowedOrigins');
    expect(message).not.toHaveProperty('id');
  });
});

describe('media types', () => {
  it.each([
    undefined,
    '',
    'text/plain',
    'application/json-rpc',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'text/json',
  ])('of the body are refused: %j', (type) => expectRefusal(list({ 'Content-Type': type }), 415, -32600));

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset=UTF-8',
  ])('of the body are read: %j', async (type) => {
    expect(verdict(await ask(open, list({ 'Content-Type': type })))).toEqual([200, undefined]);
  });

  it.each(['text/html', 'application/json;q=0', 'application/json;q=0, text/event-stream;q=0.000', '*/*;q=0', 'json'])(
    'of the answer are refused where it can be none of them: %j',
    (accept) => expectRefusal(list({ Accept: accept }), 406, -32600),
  );

  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['application/*', 'json'],
    ['application/*, text/*', 'json'],
    ['text/event-stream;q=0.5 , application/json', 'json'],
    ['application/json, text/event-stream;q=0.000', 'json'],
    ['TEXT/EVENT-STREAM,APPLICATION/JSON', 'json'],
    ['text/event-stream', 'event-stream'],
    ['application/json;q=0, text/event-stream', 'event-stream'],
  ])('of the answer are as its client accepts them: %j is answered in %s', async (accept, type) => {
    const { status, headers } = await ask(open, list({ Accept: accept }));
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining(type)]);
  });

  it.each(['gzip', 'br', 'deflate', 'gzip, identity', 'zstd'])('of compression are refused: %s', async (encoding) => {
    const { headers } = await expectRefusal(list({ 'Content-Encoding': encoding }), 415, -32600);
    expect(headers.get('accept-encoding')).toBe('identity');
  });
});

describe('headers and _meta', () => {
  const version = 'io.modelcontextprotocol/protocolVersion';
  const wrap = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  it.each<[string, RawRequest, number]>([
    ['no params', { ...list(), body: request(7, 'tools/list') }, -32602],
    ['no _meta', list({}, {}), -32602],
    ['no capabilities', list({}, { _meta: { [version]: NEWEST } }), -32602],
    ['a version that is no text', list({}, { _meta: { ...META, [version]: 5 } }), -32602],
    [
      'capabilities that are none',
      list({}, { _meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': [] } }),
      -32602,
    ],
    ['no version header', list({ 'MCP-Protocol-Version': undefined }), -32020],
    ['the version header of another revision', list({ 'MCP-Protocol-Version': '2025-11-25' }), -32020],
    ['a version header of no revision', list({ 'MCP-Protocol-Version': 'v999' }), -32020],
    ['a body of no revision', list({}, { _meta: { ...META, [version]: 'v999' } }), -32020],
    ['two version headers', list({ 'MCP-Protocol-Version': [NEWEST, NEWEST] }), -32020],
    ['no method header', list({ 'Mcp-Method': undefined }), -32020],
    ['another method header', list({ 'Mcp-Method': 'tools/call' }), -32020],
    ['the method header in another case', list({ 'Mcp-Method': 'Tools/List' }), -32020],
    ['an encoded method header', list({ 'Mcp-Method': wrap('tools/list') }), -32020],
    ['two method headers', list({ 'Mcp-Method': ['tools/list', 'tools/list'] }), -32020],
    ['no name header', calling({ 'Mcp-Name': undefined }), -32020],
    ['another name header', calling({ 'Mcp-Name': 'LOOK' }), -32020],
    ['a name header in broken Base64', calling({ 'Mcp-Name': '=?base64?bG9v*w==?=' }), -32020],
    ['no argument header', calling({ 'Mcp-Param-Region': undefined }), -32020],
    ['another argument header', calling({ 'Mcp-Param-Region': 'us' }), -32020],
    ['an argument header in Latin-1', calling({ 'Mcp-Param-Region': 'é' }), -32020],
    ['two argument headers', calling({ 'Mcp-Param-Region': ['eu', 'eu'] }), -32020],
    ['an argument header beyond all measure', calling({ 'Mcp-Param-Region': 'e'.repeat(9000) }), -32020],
  ])(
    'are refused with 400 and the id: %s [BASE-025, HTTP-024, HTTP-027, HTTP-030, HTTP-031, HTTP-033, HTTP-034, HTTP-035, HTTP-039, SEC-009]',
    async (_what, sent, code) => {
      const { message } = await expectRefusal(sent, 400, code);
      expect(message?.id).toBe(7);
    },
  );

  itOnNode()('that came twice do not pass for one value with a comma', async () => {
    const body = look({ arguments: { region: 'a, b' } });
    expect(verdict(await ask(open, calling({ 'Mcp-Param-Region': 'a, b' }, body)))).toEqual([200, undefined]);
    await expectRefusal(calling({ 'Mcp-Param-Region': ['a', 'b'] }, body), 400, -32020);
  });

  it('may be encoded where the text needs it, and where it does not [HTTP-032]', async () => {
    const region = ' Österreich, südlich ';
    const answer = await ask(open, calling({ 'Mcp-Param-Region': wrap(region) }, look({ arguments: { region } })));
    expect([answer.status, answer.message?.result]).toMatchObject([200, { content: [{ text: region }] }]);
    expect(verdict(await ask(open, calling({ 'Mcp-Name': wrap('look'), 'Mcp-Param-Region': wrap('eu') })))).toEqual([
      200,
      undefined,
    ]);
  });

  it('name the versions where the one asked for is not served [HTTP-025]', async () => {
    for (const requested of ['2025-11-25', '2099-01-01', 'v999']) {
      const { message } = await expectRefusal(
        list({ 'MCP-Protocol-Version': requested }, { _meta: { ...META, [version]: requested } }),
        400,
        -32022,
      );
      expect(message).toMatchObject({ id: 7, error: { data: { supported: [NEWEST], requested } } });
    }
  });

  it.each(['2027-06-30', NEWEST, 'DRAFT-2026-v1', 'garbage'])(
    'do not keep a client from negotiating, whatever version its header names: %s',
    async (header) => {
      const clientInfo = { name: 'newer', version: '1' };
      const params = { protocolVersion: header, capabilities: {}, clientInfo };
      const sent = { ...list({ 'MCP-Protocol-Version': header }), body: request(7, 'initialize', params) };
      const { status, message } = await ask(open, sent);
      expect([status, message]).toMatchObject([200, { id: 7, result: { protocolVersion: '2025-11-25' } }]);
    },
  );

  it('are enough without clientInfo [BASE-026]', async () => {
    expect(verdict(await ask(open, list()))).toEqual([200, undefined]);
  });

  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'tasks/list',
    'nobody/knows',
    'prompts/list',
    '__proto__',
    'constructor',
  ])(
    'let no method through that the revision or the server does not have: %s [BASE-012, BASE-013, HTTP-026]',
    async (method) => {
      const { message } = await expectRefusal(
        {
          headers: { 'MCP-Protocol-Version': NEWEST, 'Mcp-Method': method },
          body: request(7, method, { _meta: META }),
        },
        404,
        -32601,
      );
      expect(message?.id).toBe(7);
    },
  );

  it('of sessions and of streams are ignored where the revision has none [HTTP-041]', async () => {
    const answer = await ask(open, list({ 'Mcp-Session-Id': 'stale', 'Last-Event-ID': 'r0-0' }));
    expect([answer.status, answer.headers.has('mcp-session-id')]).toEqual([200, false]);
  });

  it('that mirror nothing are ignored [HTTP-040]', async () => {
    expect(verdict(await ask(open, calling({ 'Mcp-Param-Other': 'x', 'Mcp-Param-Note': 'x' })))).toEqual([
      200,
      undefined,
    ]);
  });
});

describe('a session', () => {
  let session: Record<string, string>;
  beforeEach(async () => (session = await open.initialize('2025-06-18', as('ada'))));
  const ping = (headers: RawRequest['headers'] = {}): RawRequest => ({
    headers: { ...session, ...headers },
    body: request('p', 'ping'),
  });

  it('is needed by every request but the first [SESS-004]', async () => {
    const { message } = await expectRefusal(ping({ 'mcp-session-id': undefined }), 400, -32600);
    expect(message?.id).toBe('p');
    await expectRefusal({ method: 'GET' }, 400, -32600);
    await expectRefusal({ method: 'DELETE' }, 400, -32600);
  });

  it.each(['unknown', '', '__proto__', 'x'.repeat(4000)])(
    'that was never opened is not found: %j [SESS-005]',
    async (id) => {
      expect((await expectRefusal(ping({ 'mcp-session-id': id }), 404, -32600)).message?.id).toBe('p');
      await expectRefusal({ method: 'GET', headers: { 'mcp-session-id': id } }, 404, -32600);
      await expectRefusal({ method: 'DELETE', headers: { 'mcp-session-id': id } }, 404, -32600);
    },
  );

  it('that is over is not found, by no method [SESS-005]', async () => {
    expect((await ask(open, { method: 'DELETE', headers: session })).status).toBe(204);
    await expectRefusal(ping(), 404, -32600);
    await expectRefusal({ method: 'GET', headers: session }, 404, -32600);
    await expectRefusal({ method: 'DELETE', headers: session }, 404, -32600);
  });

  it('of somebody else looks like none, and lives on [SESS-007, SESS-009, SEC-001]', async () => {
    await expectRefusal(ping(as('eve')), 404, -32600);
    await expectRefusal({ method: 'DELETE', headers: { ...session, ...as('eve') } }, 404, -32600);
    await expectRefusal({ method: 'GET', headers: { ...session, ...as('eve') } }, 404, -32600);
    expect((await ask(open, ping())).status).toBe(200);
  });

  it.each(['2025-03-26', '1999-01-01', 'nonsense', ''])(
    'speaks the version that it was opened with: not %j [HTTP-022]',
    async (said) => {
      await expectRefusal(ping({ 'MCP-Protocol-Version': said }), 400, -32600);
      await expectRefusal({ method: 'GET', headers: { ...session, 'MCP-Protocol-Version': said } }, 400, -32600);
      await expectRefusal({ method: 'DELETE', headers: { ...session, 'MCP-Protocol-Version': said } }, 400, -32600);
    },
  );

  it.each(['2024-11-05', '2025-03-26'])(
    'of %s has no version header: what a client says there means nothing [HTTP-022]',
    async (version) => {
      const older = await open.initialize(version, as('ada'));
      for (const said of ['2025-06-18', '1999-01-01', 'nonsense', '', NEWEST, '2099-01-01']) {
        const headers = { 'mcp-session-id': older['mcp-session-id'] ?? '', 'MCP-Protocol-Version': said };
        expect((await ask(open, ping(headers))).status).toBe(200);
      }
    },
  );

  it('needs notifications and responses to belong to it too [HTTP-008]', async () => {
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      await expectRefusal({ body }, 400, -32600);
      await expectRefusal({ body, headers: { 'mcp-session-id': 'over' } }, 404, -32600);
    }
  });

  it('and requests that stand alone do not disturb each other, at one endpoint and at the same time [BASE-030]', async () => {
    const mixed = Array.from({ length: 40 }, (_, n) =>
      ask(open, n % 2 ? ping() : list({ 'Mcp-Session-Id': session['mcp-session-id'] })),
    );
    expect(new Set((await Promise.all(mixed)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('takes no answers under the header of the revision that asks nothing [HTTP-008]', async () => {
    await expectRefusal(
      { headers: { ...session, 'MCP-Protocol-Version': NEWEST }, body: { jsonrpc: '2.0', id: 1, result: {} } },
      400,
      -32600,
    );
  });
});

describe('a failure that nobody expected', () => {
  it('is answered with 500, and with nothing of its message', async () => {
    const crashing = await serve(
      { features: [Atlas] },
      { auth: { verify: () => Promise.reject(new Error('postgres://secret')) } },
    );
    const answer = await ask(crashing, list());
    await crashing.close();
    expect(verdict(answer)).toEqual([500, -32603]);
    expect(answer.body).not.toContain('secret');
    expect(answer.message?.error?.message).toMatch(/id [\w-]{36}/);
  });

  it('of a handshake leaves no session behind', async () => {
    const answer = await ask(open, { body: request(1, 'initialize', { protocolVersion: '2025-11-25' }) });
    expect([answer.message?.error?.code, answer.headers.has('mcp-session-id')]).toEqual([-32602, false]);
  });
});

describe('the order of the checks', () => {
  const good = (): RawRequest => calling();
  const change = (sent: RawRequest, more: RawRequest): RawRequest => ({
    ...sent,
    ...more,
    headers: { ...sent.headers, ...more.headers },
  });
  /** Each spoils a good request in one way, in the order in which they are noticed. */
  const LADDER: readonly [string, number, number, (sent: RawRequest) => RawRequest][] = [
    ['HTTP method', 405, -32600, (sent) => change(sent, { method: 'PUT' })],
    ['Host', 421, -32600, (sent) => change(sent, { headers: { Host: 'evil.example' } })],
    ['Origin', 403, -32600, (sent) => change(sent, { headers: { Origin: 'https://evil.example' } })],
    ['authentication', 401, -32600, (sent) => change(sent, { headers: { authorization: undefined } })],
    ['Content-Type', 415, -32600, (sent) => change(sent, { headers: { 'Content-Type': 'text/plain' } })],
    ['Accept', 406, -32600, (sent) => change(sent, { headers: { Accept: 'text/html' } })],
    ['JSON', 400, -32700, (sent) => change(sent, { body: `${JSON.stringify(sent.body)}}` })],
    ['shape', 400, -32600, (sent) => change(sent, { body: { ...(sent.body as object), jsonrpc: '1.0' } })],
    ['_meta', 400, -32602, (sent) => withMeta(sent, { 'io.modelcontextprotocol/clientCapabilities': undefined })],
    ['version header', 400, -32020, (sent) => change(sent, { headers: { 'MCP-Protocol-Version': '2099-01-02' } })],
    [
      'version',
      400,
      -32022,
      (sent) =>
        change(withMeta(sent, { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }), {
          headers: { 'MCP-Protocol-Version': '2099-01-01' },
        }),
    ],
    ['method header', 400, -32020, (sent) => change(sent, { headers: { 'Mcp-Method': 'tools/lost' } })],
    [
      'method',
      404,
      -32601,
      (sent) =>
        change(sent, {
          headers: { 'Mcp-Method': 'nobody/knows' },
          body: { ...(sent.body as object), method: 'nobody/knows' },
        }),
    ],
  ];
  const withMeta = (sent: RawRequest, meta: object): RawRequest => {
    const body = sent.body as { params: { _meta: object } };
    return { ...sent, body: { ...body, params: { ...body.params, _meta: { ...body.params._meta, ...meta } } } };
  };

  it.each(LADDER)('%s: %i %i', async (_what, status, code, spoil) => {
    await expectRefusal(spoil(good()), status, code);
  });

  const pairs = LADDER.slice(1).map((later, index) => [LADDER[index]?.[0] ?? '', later[0], index] as const);
  it.each(pairs)('%s comes before %s', async (_earlier, _later, index) => {
    const [earlier, later] = [LADDER[index], LADDER[index + 1]];
    if (!earlier || !later) throw new Error('There is no such pair.');
    await expectRefusal(earlier[3](later[3](good())), earlier[1], earlier[2]);
  });

  it('authentication comes before a body is asked for', async () => {
    await expectRefusal(calling({ authorization: undefined, 'Content-Length': '99999999' }), 401, -32600);
  });

  it('the name comes before what the arguments say', async () => {
    const { message } = await expectRefusal(calling({ 'Mcp-Name': 'other', 'Mcp-Param-Region': 'us' }), 400, -32020);
    expect(message?.error?.message).toContain('Mcp-Name');
  });
});
