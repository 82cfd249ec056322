/** What `sigil` says of a server over HTTP that is there, and does not take a message. */
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sigil } from './terminal';

jest.setTimeout(150_000);

/** One refusal, which comes for one method. */
interface Refusal {
  readonly method: string;
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

const jsonRpc = (message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } });

const RESULTS: Readonly<Record<string, object>> = {
  'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
  'prompts/list': { prompts: [{ name: 'ask' }] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
};

let server: Server;
let url: string;
let refusal: Refusal;

/** A server of the handshake that refuses one method. */
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body);
      if (method === refusal.method) {
        const { status, headers = {}, body: said = '' } = refusal;
        return void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(said);
      }
      if (id === undefined) return void response.writeHead(202).end();
      const info = { protocolVersion: params?.protocolVersion, serverInfo: { name: 's', version: '1' } };
      const opening = { ...info, capabilities: { tools: {}, prompts: {}, resources: {} } };
      const result = method === 'initialize' ? opening : RESULTS[method];
      const answer = result ? { result } : { error: { code: -32601, message: 'No such method' } };
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
afterAll(() => server.close());

describe.each([
  ['call', 'tools/call', ['work']],
  ['read', 'resources/read', ['test://a']],
  ['prompt', 'prompts/get', ['ask']],
  ['inspect', 'tools/list', []],
])('sigil %s', (command, method, words) => {
  const outcome = async (given: Omit<Refusal, 'method'>): Promise<{ status: number | null; stderr: string }> => {
    refusal = { method, ...given };
    const { status, stderr } = await sigil([command, url, ...words]);
    return { status, stderr };
  };

  it('names a denial, with its message', async () => {
    expect(await outcome({ status: 403, body: jsonRpc('Needs the scope alerts:write') })).toEqual({
      status: 3,
      stderr:
        `The server at ${url} denied the request (HTTP 403): Needs the scope alerts:write. [SIGIL_CLI_DENIED]\n` +
        'Ask for permission, or use the token of a user who has it: --token <token>.\n',
    });
  });

  it.each([
    ['alerts:write', 'scope alerts:write'],
    ['alerts:read alerts:write', 'scopes alerts:read, alerts:write'],
  ])('says which scopes are missing, and how to have them (%s)', async (scope, words) => {
    const challenge = `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="https://mcp.example.com/x"`;
    const headers = { 'www-authenticate': challenge };
    expect(await outcome({ status: 403, headers, body: jsonRpc(`It needs the ${words}.`) })).toEqual({
      status: 3,
      stderr:
        `The server at ${url} denied the request (HTTP 403): it needs a token with the ${words}. [SIGIL_CLI_SCOPES]\n` +
        'Pass one with --token <token> or in SIGIL_TOKEN, or sign in for it with the browser (--sign-in, in a terminal).\n',
    });
  });

  it.each([
    ['Bearer realm="weather", scope="read"', ', with a token that has the scope read'],
    ['Bearer resource_metadata="https://mcp.example.com/x"', ''],
    ['Basic realm="weather"', '; it wants Basic realm="weather"'],
  ])('says what a server wants that does not know who calls (%s)', async (challenge, words) => {
    const headers = { 'www-authenticate': challenge };
    const { status, stderr } = await outcome({ status: 401, headers, body: jsonRpc('No token.') });
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr:
        `${url} requires authentication (HTTP 401)${words}: No token. [SIGIL_CLI_WHO_ARE_YOU]\n` +
        'Pass a token with --token <token> or in SIGIL_TOKEN, or sign in with the browser (--sign-in, in a terminal) if the ' +
        'server names an authorization server.\n',
    });
  });

  it.each([
    ['30', 'in 30 seconds'],
    ['1', 'in 1 second'],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 'after Wed, 21 Oct 2026 07:28:00 GMT'],
    [undefined, 'later'],
  ])('says when to come again after too many calls (%s)', async (after, when) => {
    const headers = after === undefined ? {} : { 'retry-after': after };
    expect(await outcome({ status: 429, headers, body: jsonRpc('Too many calls') })).toEqual({
      status: 3,
      stderr: `The server at ${url} received too many requests (HTTP 429): Too many calls. [SIGIL_CLI_TOO_MANY]\nTry again ${when}.\n`,
    });
  });

  it('says so where a server has too much to do', async () => {
    const headers = { 'retry-after': '5' };
    expect(await outcome({ status: 503, headers, body: jsonRpc('Too many sessions') })).toEqual({
      status: 4,
      stderr:
        `The server at ${url} is unavailable (HTTP 503): Too many sessions. [SIGIL_CLI_UNAVAILABLE]\n` +
        'Try again in 5 seconds.\n',
    });
  });

  it('tells a session that is gone from a server that is', async () => {
    const { status, stderr } = await outcome({ status: 404, body: jsonRpc('Session not found') });
    expect({ status, stderr }).toEqual({
      status: 4,
      stderr: expect.stringContaining(`${url} was not found (HTTP 404): Session not found. [SIGIL_CLI_NOT_FOUND]\n`),
    });
    expect(stderr).not.toContain('was lost');
  });

  it('quotes no web page, and of a long text the beginning', async () => {
    const page = await outcome({ status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>No</h1>' });
    expect(page.stderr).toContain(`denied the request (HTTP 403). [SIGIL_CLI_DENIED]\n`);
    const long = await outcome({ status: 403, headers: { 'content-type': 'text/plain' }, body: 'no '.repeat(1e6) });
    expect(long.stderr).toMatch(/\(HTTP 403\): (no ){100}….*\n/);
  });
});

it('names a refusal at the door as well: there is no server for who is refused', async () => {
  for (const [status, words] of [
    [401, 'requires authentication'],
    [403, 'denied the request'],
    [429, 'received too many requests'],
    [503, 'is unavailable'],
  ] as const) {
    refusal = { method: 'initialize', status, body: jsonRpc('Not you') };
    const { status: left, stderr } = await sigil(['call', url, 'work']);
    expect({ left, stderr }).toEqual({
      left: 4,
      stderr: expect.stringContaining(`${words} (HTTP ${status}): Not you.`),
    });
  }
});

it.each([
  [400, 'rejected the first request', 'SIGIL_CLI_REJECTED', 'Change the command as the message says'],
  [404, 'rejected the first request', 'SIGIL_CLI_REJECTED', 'Change the command as the message says'],
  [405, 'rejected the first request', 'SIGIL_CLI_REJECTED', 'Change the command as the message says'],
  [406, 'rejected the first request', 'SIGIL_CLI_REJECTED', 'Change the command as the message says'],
  [415, 'rejected the first request', 'SIGIL_CLI_REJECTED', 'Change the command as the message says'],
  [418, 'rejected the first request', 'SIGIL_CLI_REJECTED', 'Change the command as the message says'],
  [421, 'does not serve the host 127\\.0\\.0\\.1', 'SIGIL_CLI_HOST', 'Use a host name that the server allows'],
] as const)('shows the message of a server that rejects the connection (HTTP %i)', async (status, what, code, fix) => {
  refusal = { method: 'initialize', status, body: jsonRpc('The server says why.') };
  const { status: left, stderr } = await sigil(['call', url, 'work']);
  const said = new RegExp(`${what}.* \\(HTTP ${status}\\): The server says why\\. \\[${code}\\]\\n${fix}`);
  expect({ left, stderr }).toEqual({ left: 4, stderr: expect.stringMatching(said) });
});

it('takes what is no JSON-RPC error for something other than an endpoint', async () => {
  refusal = { method: 'initialize', status: 404, body: '{"message":"Route POST:/mcp not found","error":"Not Found"}' };
  expect((await sigil(['call', url, 'work'])).stderr).toContain('SIGIL_CLI_NO_ENDPOINT');
});

it.each(['Host', 'connection', 'Content-Length', 'Expect', 'keep-alive', 'Transfer-Encoding', 'upgrade'])(
  'does not take the header %s, which could not be sent',
  async (name) => {
    expect(await sigil(['inspect', url, '-H', `${name}: mcp.example.com`])).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        name === 'Host' ? /Host is always the host of the URL\. Write that name in the URL/ : /The HTTP client sets it/,
      ),
    });
  },
);

it('waits no longer than a moment for the words of a refusal that never ends', async () => {
  const endless = createServer(
    (_, response) => void response.writeHead(403, { 'content-type': 'text/plain' }).write('No'),
  );
  endless.listen(0, '127.0.0.1');
  await new Promise((resolve) => endless.once('listening', resolve));
  const { status, stderr } = await sigil(['inspect', `http://127.0.0.1:${(endless.address() as AddressInfo).port}/`]);
  endless.close();
  endless.closeAllConnections();
  expect({ status, stderr }).toEqual({
    status: 4,
    stderr: expect.stringContaining('denied the request (HTTP 403): No.'),
  });
});
