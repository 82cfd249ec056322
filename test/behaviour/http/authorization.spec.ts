/** Who may come in: every way into an endpoint, with every kind of header, on every revision. */
import { Caller, Denial, Feature, McpContext, Tool, type Auth } from '@sigil-mcp/core';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { ALL_REVISIONS, META_KEYS } from '@sigil-mcp/protocol';
import { request, serve, type OpenServer } from './http-server';
import { ask, type RawAnswer, type RawRequest } from './raw-request';

const RESOURCE = 'https://mcp.example.com/mcp';
const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';
const ISSUER = 'https://id.example.com';

@Feature()
class Desk {
  @Tool('Says who calls')
  who(caller: Caller, context: McpContext): string {
    return [caller.id, caller === context.caller, context.headers['authorization'], caller.scopes.join(' ')].join(', ');
  }
}

/** Tokens are `name` or `name.scope`; others are what they say. */
const seen: string[] = [];
const auth: Auth = {
  resource: RESOURCE,
  authorizationServers: [ISSUER],
  scopes: ['notes:read', 'offline_access'],
  scopesSupported: ['notes:read', 'notes:write'],
  verify: (token, { scheme, method, url, headers }) => {
    seen.push(`${scheme} ${method} ${url} ${String(headers.host).split(':')[0]}`);
    switch (token) {
      case 'unknown':
        return undefined;
      case 'late':
        return Promise.reject(new Denial('The token "late" has expired: \\ é.', { status: 401 }));
      case 'stale':
        return new Caller({ id: 'stale', expiresAt: Date.now() - 1 });
      case 'keyless':
        throw new Denial('The keys of the issuer are out of reach.', {
          error: 'internal-error',
          status: 503,
          retryAfter: 5,
        });
      case 'broken':
        return Promise.reject(Object.assign(new Error('postgres://secret'), { statusCode: 404 }));
      case 'odd':
        return { id: 'odd' } as never;
    }
    const [id = '', scope] = token.split('.');
    return Promise.resolve(new Caller({ id, issuer: ISSUER, scopes: scope ? [scope] : [] }));
  },
};

let open: OpenServer;
const start = async (options: HttpTransportOptions = {}): Promise<OpenServer> =>
  (open = await serve({ features: [Desk] }, { auth, sse: true, allowedOrigins: ['https://chat.example'], ...options }));
beforeEach(() => void seen.splice(0));
afterEach(() => open.close());

const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });
const META = { [META_KEYS.protocolVersion]: '2026-07-28', [META_KEYS.clientCapabilities]: {} };
const hello = (protocolVersion: string): object =>
  request(1, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } });

const WAYS: readonly [string, RawRequest][] = [
  ...ALL_REVISIONS.map(({ version }): [string, RawRequest] => [`initialize of ${version}`, { body: hello(version) }]),
  [
    'server/discover',
    {
      body: request(1, 'server/discover', { _meta: META }),
      headers: { 'mcp-method': 'server/discover', 'mcp-protocol-version': '2026-07-28' },
    },
  ],
  ['tools/call', { body: request(1, 'tools/call', { name: 'who', arguments: {}, _meta: META }) }],
  ['a notification', { body: { jsonrpc: '2.0', method: 'notifications/initialized' } }],
  ['a batch', { body: [request(1, 'ping'), request(2, 'ping')], headers: { 'mcp-protocol-version': '2025-03-26' } }],
  ['a response', { body: { jsonrpc: '2.0', id: 1, result: {} } }],
  ['what is no JSON', { body: '{' }],
  ['GET', { method: 'GET' }],
  ['DELETE', { method: 'DELETE', headers: { 'mcp-session-id': 'any' } }],
  ['GET of HTTP+SSE', { method: 'GET', target: '/sse' }],
  ['POST of HTTP+SSE', { target: '/messages?sessionId=any', body: request(1, 'ping') }],
];

type Headers = NonNullable<RawRequest['headers']>;
const challenge = (said = ''): string => `Bearer ${said}scope="notes:read", resource_metadata="${METADATA}"`;
const invalid = (description: string): string =>
  challenge(`error="invalid_token", error_description="${description}", `);

/** What is sent, and what comes back: status, code, challenge. */
const HEADERS: readonly [string, Headers, number, number, string | undefined][] = [
  ['without a token', {}, 401, -32600, challenge()],
  ['with another scheme', { authorization: 'Basic YTpi' }, 401, -32600, challenge()],
  ['with an unknown token', bearer('unknown'), 401, -32600, invalid('The token is not valid here.')],
  ['with a denied token', bearer('late'), 401, -32600, invalid("The token 'late' has expired:    .")],
  ['with an expired caller', bearer('stale'), 401, -32600, invalid('The token has expired.')],
  ...['Bearer', 'Bearer  ', 'Bearer a b', 'Bearer a,b', 'bearer "a"', ['Bearer ada', 'Bearer eve']].map(
    (authorization): [string, Headers, number, number, string] => [
      `with ${JSON.stringify(authorization)}`,
      { authorization },
      400,
      -32600,
      challenge(
        'error="invalid_request", error_description="Send one Authorization header, with the scheme Bearer and the token.", ',
      ),
    ],
  ),
  ['whose keys are out of reach', bearer('keyless'), 503, -32603, undefined],
  ['whose verifier fails', bearer('broken'), 500, -32603, undefined],
  ['whose verifier returns no caller', bearer('odd'), 500, -32603, undefined],
];

const refusalOf = ({ status, headers, message }: RawAnswer): unknown[] => [
  status,
  message?.error?.code,
  headers.get('www-authenticate'),
];

describe.each(WAYS)('%s', (_way, sent) => {
  it.each(HEADERS)(
    '%s is refused before its body is read [AUTH-004, AUTH-006, AUTH-021, SEC-001, HTTP-006]',
    async (_what, headers, status, code, challenged) => {
      await start();
      const answer = await ask(open, { ...sent, headers: { ...sent.headers, ...headers } });
      expect(refusalOf(answer)).toEqual([status, code, challenged]);
      expect(answer.message).toMatchObject({ jsonrpc: '2.0' });
      expect(answer.body).not.toContain('secret');
      expect(answer.headers.get('retry-after')).toBe(status === 503 ? '5' : undefined);
    },
  );

  it('comes in with a good token, which is asked about each time', async () => {
    await start();
    const headers = { ...sent.headers, ...bearer('ada') };
    const answers = [await ask(open, { ...sent, headers }), await ask(open, { ...sent, headers })];
    for (const { status } of answers) expect([401, 403, 500]).not.toContain(status);
    expect(seen).toHaveLength(2);
  });
});

describe('a request', () => {
  const call = (headers: Headers = {}, target = '/mcp'): RawRequest => ({
    target,
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'who', ...headers },
    body: request(1, 'tools/call', { name: 'who', arguments: {}, _meta: META }),
  });

  it('is handled as its caller, and no handler receives its token [AUTH-009]', async () => {
    await start();
    const { message } = await ask(open, call(bearer('ada.notes')));
    expect(message?.result).toMatchObject({ content: [{ text: 'ada, true, , notes' }] });
  });

  it('ignores a token in its query, with and without one in the header [AUTH-007]', async () => {
    await start();
    expect((await ask(open, call({}, '/mcp?access_token=ada'))).status).toBe(401);
    expect(seen).toEqual([]);
    expect((await ask(open, call(bearer('ada'), '/mcp?access_token=unknown'))).status).toBe(200);
    expect(seen).toEqual(['bearer POST https://mcp.example.com/mcp 127.0.0.1']);
  });

  it('is asked for its token after its Host and Origin, and before its body', async () => {
    await start();
    for (const [headers, status] of [
      [{ Host: 'evil.example' }, 421],
      [{ Origin: 'https://evil.example' }, 403],
      [{ 'Content-Type': 'text/plain' }, 401],
      [{ 'Content-Length': '99999999' }, 401],
    ] as const)
      expect((await ask(open, call(headers))).status).toBe(status);
  });

  it('that is a preflight or a probe needs no token, and pages may read the challenge', async () => {
    await start();
    const origin = { Origin: 'https://chat.example' };
    const preflight = {
      ...origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    };
    expect((await ask(open, { method: 'OPTIONS', headers: preflight })).status).toBe(204);
    expect((await ask(open, { method: 'GET', target: '/healthz' })).status).toBe(200);
    const { status, headers } = await ask(open, call(origin));
    expect([status, headers.get('access-control-expose-headers')]).toEqual([
      401,
      expect.stringContaining('WWW-Authenticate'),
    ]);
  });

  it('is challenged with nothing but the scheme where clients have their tokens from elsewhere', async () => {
    await start({ auth: { verify: auth.verify } });
    expect((await ask(open, call())).headers.get('www-authenticate')).toBe('Bearer');
    expect((await ask(open, call(bearer('ada')))).status).toBe(200);
    expect(seen).toEqual(['bearer POST /mcp 127.0.0.1']);
  });
});
