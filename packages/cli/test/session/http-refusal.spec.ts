/** A refusal over HTTP: what is read of it, and what users are told. */
import { explainClosedDoor, explainRefusedCall } from '../../src/session/explain-silence';
import { readRefusal, type HttpRefusal } from '../../src/session/http-refusal';

const url = new URL('http://mcp.example.com/mcp');

const read = async (body: string | null, status: number, headers: Record<string, string> = {}) =>
  readRefusal(new Response(body, { status, headers }));
const refusalOf = (status: number, more: Partial<HttpRefusal> = {}): HttpRefusal => ({
  ...{ status, words: undefined, isProtocolError: false, challenge: undefined, retryAfter: undefined },
  ...more,
});

it.each([
  [
    'the message of a JSON-RPC error',
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"No  token.\\n"}}',
    'No token',
    true,
  ],
  [
    'the description of an OAuth error',
    '{"error":"invalid_token","error_description":"It expired."}',
    'It expired',
    false,
  ],
  ['the name of an error', '{"error":"invalid_token"}', 'invalid_token', false],
  ['the message of another object', '{"message":"Not here"}', 'Not here', false],
  ['nothing of an array', '["x"]', undefined, false],
  ['nothing of a web page', '<h1>Not here</h1>', undefined, false],
])('reads %s', async (_what, body, words, isProtocolError) => {
  const { refusal, response } = await read(body, 401, { 'content-type': 'text/html' });
  expect(refusal).toMatchObject({ status: 401, words, isProtocolError });
  // The client reads the body as well.
  expect([response.status, await response.text()]).toEqual([401, body]);
});

it('quotes plain text, of a long one the beginning', async () => {
  const { refusal } = await read('Busy. '.repeat(100), 503, { 'content-type': 'text/plain; charset=utf-8' });
  expect(refusal.words).toMatch(/^Busy\. Busy\..*…$/);
  expect(refusal.words).toHaveLength(301);
});

it('reads an empty body, the challenge and the time to wait', async () => {
  const headers = { 'www-authenticate': 'Bearer scope="a b"', 'retry-after': '30' };
  const { refusal } = await read(null, 401, headers);
  expect(refusal).toEqual({
    status: 401,
    words: undefined,
    isProtocolError: false,
    challenge: 'Bearer scope="a b"',
    retryAfter: '30',
  });
});

it.each([
  [refusalOf(401), 4, 'SIGIL_CLI_WHO_ARE_YOU'],
  [refusalOf(403), 4, 'SIGIL_CLI_DENIED'],
  [refusalOf(403, { challenge: 'Bearer error="insufficient_scope", scope="a b"' }), 4, 'SIGIL_CLI_SCOPES'],
  [refusalOf(421, { words: 'This host is not served' }), 4, 'SIGIL_CLI_HOST'],
  [refusalOf(429, { retryAfter: '1' }), 4, 'SIGIL_CLI_TOO_MANY'],
  [refusalOf(500), 4, 'SIGIL_CLI_SERVER_FAILED'],
  [refusalOf(503), 4, 'SIGIL_CLI_UNAVAILABLE'],
  [refusalOf(400, { isProtocolError: true }), 4, 'SIGIL_CLI_REJECTED'],
])('explains %j while connecting: exit status %d, %s', (refusal, status, code) => {
  expect(explainClosedDoor(url, refusal)).toMatchObject({ code, exitCode: status });
});

it('leaves what is no answer of an MCP server to others', () => {
  expect(explainClosedDoor(url, refusalOf(404, { words: 'Not Found' }))).toBeUndefined();
});

it.each([
  [refusalOf(404), 4, 'SIGIL_CLI_NOT_FOUND'],
  [refusalOf(503), 4, 'SIGIL_CLI_UNAVAILABLE'],
  [refusalOf(401), 3, 'SIGIL_CLI_WHO_ARE_YOU'],
  [refusalOf(403), 3, 'SIGIL_CLI_DENIED'],
  [refusalOf(413, { words: 'Too long' }), 3, 'SIGIL_CLI_REFUSED'],
])('explains %j after connecting: exit status %d, %s', (refusal, status, code) => {
  expect(explainRefusedCall(url, refusal)).toMatchObject({ code, exitCode: status });
});

it.each([
  ['1', 'in 1 second'],
  ['30', 'in 30 seconds'],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 'after Wed, 21 Oct 2026 07:28:00 GMT'],
  [undefined, 'later'],
])('says when to try again: Retry-After %s is "%s"', (retryAfter, said) => {
  const failure = explainRefusedCall(url, refusalOf(429, { retryAfter }));
  expect(`${failure.message} ${failure.fix}`).toContain(said);
});
