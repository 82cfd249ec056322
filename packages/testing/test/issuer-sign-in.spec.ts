/** The sign-in of an issuer with users: what it refuses, and what other pages cannot do. */
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { once } from 'node:events';
import { issuer, type TestIssuer } from '@sigil-mcp/testing';
import { decodeJwt } from 'jose';

const RESOURCE = 'http://127.0.0.1:3000/mcp';
const REDIRECT = 'http://127.0.0.1:8123/callback';
const VERIFIER = 'a'.repeat(50);

let id: TestIssuer;
let client: string;
beforeEach(async () => {
  id = await issuer({ audience: RESOURCE, people: { ada: { scopes: ['a', 'b'] }, '<b>': {} } });
  client = ((await (await register([REDIRECT])).json()) as { client_id: string }).client_id;
});
afterEach(() => id.close());

function register(redirects: readonly string[]): Promise<Response> {
  const body = JSON.stringify({ client_name: 'A & B', redirect_uris: redirects });
  return fetch(`${id.url}/register`, { method: 'POST', body });
}

function authorizeUrl(changes: Readonly<Record<string, string>> = {}): URL {
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
  const usual = { client_id: client, redirect_uri: REDIRECT, response_type: 'code', state: 's', resource: RESOURCE };
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
  return new URL(`/authorize?${new URLSearchParams({ ...usual, ...pkce, ...changes }).toString()}`, id.url);
}

/** Chooses a user. @returns what the client receives */
async function choose(person: string, changes?: Readonly<Record<string, string>>): Promise<URLSearchParams> {
  const body = new URLSearchParams({ person });
  const { headers } = await fetch(authorizeUrl(changes), { method: 'POST', body, redirect: 'manual' });
  return new URL(headers.get('location') ?? '').searchParams;
}

async function exchange(
  code: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const usual = { grant_type: 'authorization_code', code, client_id: client, redirect_uri: REDIRECT };
  const body = new URLSearchParams({ ...usual, code_verifier: VERIFIER, ...changes });
  return (await fetch(`${id.url}/token`, { method: 'POST', body })).json() as Promise<Record<string, unknown>>;
}

it('gives a client a token with the scopes of the user, once for each code', async () => {
  const answer = await choose('ada');
  expect(Object.fromEntries(answer)).toEqual({ code: expect.any(String) as string, state: 's', iss: id.url });
  const code = answer.get('code') ?? '';
  const granted = await exchange(code);
  expect(granted).toMatchObject({ token_type: 'Bearer', scope: 'a b', expires_in: 86_400 });
  expect(decodeJwt(String(granted['access_token']))).toMatchObject({
    iss: id.url,
    sub: 'ada',
    aud: RESOURCE,
    scope: 'a b',
    client_id: client,
  });
  expect(await exchange(code)).toEqual({ error: 'invalid_grant' });
});

it.each([
  ['another verifier', { code_verifier: 'b'.repeat(50) }],
  ['another client', { client_id: 'x' }],
  ['another redirect', { redirect_uri: 'http://127.0.0.1:8123/other' }],
])('gives no token for %s', async (_what, changes) => {
  const code = (await choose('ada')).get('code') ?? '';
  expect(await exchange(code, changes)).toEqual({ error: 'invalid_grant' });
});

it('takes a code for a minute only', async () => {
  const code = (await choose('ada')).get('code') ?? '';
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
  try {
    expect(await exchange(code)).toEqual({ error: 'invalid_grant' });
  } finally {
    now.mockRestore();
  }
});

it.each([
  ['without PKCE', { code_challenge: '' }, 'invalid_request'],
  ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['for another server', { resource: 'http://127.0.0.1:4000/mcp' }, 'invalid_target'],
  ['for a token at once', { response_type: 'token' }, 'unsupported_response_type'],
])('sends a request %s back with an error', async (_what, changes, error) => {
  expect((await choose('ada', changes)).get('error')).toBe(error);
});

it('sends back a user who does not exist, and nobody to an address that was not registered', async () => {
  expect((await choose('mallory')).get('error')).toBe('access_denied');
  expect((await choose('constructor')).get('error')).toBe('access_denied');
  const { status, headers } = await fetch(authorizeUrl({ redirect_uri: 'http://127.0.0.1/elsewhere' }));
  expect([status, headers.get('location')]).toEqual([400, null]);
  expect((await fetch(authorizeUrl({ client_id: 'made-up' }))).status).toBe(400);
});

it('lets a program use another port of loopback than it registered', async () => {
  expect((await fetch(authorizeUrl({ redirect_uri: 'http://127.0.0.1:9999/callback' }))).status).toBe(200);
});

it.each([
  ['cursor://anysphere.cursor-retrieval/oauth/callback', 201],
  ['https://vscode.dev/redirect', 201],
  ['https://evil.example/callback', 400],
  ['http://192.168.0.1/callback', 400],
  ['javascript:alert(1)', 400],
  ['nothing', 400],
])('registers only clients on this machine: %s', async (redirect, status) => {
  expect((await register([redirect])).status).toBe(status);
});

it('never sends a browser to a page of the web, even if the client registered a program as well', async () => {
  const web = 'https://evil.example/callback';
  const registered = (await (await register([REDIRECT, web])).json()) as { client_id: string };
  expect((await fetch(authorizeUrl({ client_id: registered.client_id, redirect_uri: web }))).status).toBe(400);
});

it('shows names as text, in a page that no other page frames', async () => {
  const response = await fetch(authorizeUrl());
  const page = await response.text();
  expect(page).toContain('<b>A &amp; B</b>');
  expect(page).toContain('value="&lt;b&gt;"');
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
});

it('gives nothing to other pages and names', async () => {
  const foreign = { headers: { origin: 'https://evil.example' } };
  const body = new URLSearchParams({ person: 'ada' });
  expect((await fetch(authorizeUrl(), { method: 'POST', body, ...foreign })).status).toBe(403);
  expect((await fetch(`${id.url}/token?as=ada`, { headers: { origin: 'http://localhost:5173' } })).status).toBe(403);
});

it('gives scripts a token for anybody with the rights that they name, and for those that it knows without', async () => {
  const claims = async (query: string): Promise<object> => {
    const token = await (await fetch(`${id.url}/token?${query}`)).text();
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as object;
  };
  const bob = await claims('as=bob&scope=notes:read,notes:write&roles=admin%20owner');
  expect(bob).toMatchObject({ sub: 'bob', scope: 'notes:read notes:write', roles: ['admin', 'owner'] });
  expect(await claims('as=ada&roles=')).toMatchObject({ sub: 'ada', scope: '', roles: [] });
  expect((await fetch(`${id.url}/token?as=bob`)).status).toBe(404);
  expect((await fetch(`${id.url}/token?scope=notes:read`)).status).toBe(404);
});

it.each(['/token?as=ada', '//evil.example/token?as=ada', 'http://evil.example/token?as=ada'])(
  'gives nothing to a page whose name was bound to this machine: %s',
  async (path) => {
    const { hostname, port } = new URL(id.url);
    const headers = { host: 'evil.example', origin: 'http://evil.example' };
    const [response] = (await once(request({ hostname, port, path, headers }).end(), 'response')) as [
      { statusCode: number; resume(): void },
    ];
    response.resume();
    expect(response.statusCode).toBe(421);
  },
);

it('is not loaded by other pages as a script, and takes no long body', async () => {
  const { headers } = await fetch(`${id.url}/token?as=ada`);
  expect([headers.get('x-content-type-options'), headers.get('cross-origin-resource-policy')]).toEqual([
    'nosniff',
    'same-origin',
  ]);
  await expect(register([`${REDIRECT}?${'x'.repeat(200_000)}`])).rejects.toThrow();
  expect((await register([REDIRECT])).status).toBe(201);
});

it('lets a page on this machine register and exchange a code, as an inspector does', async () => {
  const inspector = { origin: 'http://localhost:6274' };
  const preflight = await fetch(`${id.url}/token`, { method: 'OPTIONS', headers: inspector });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, inspector.origin]);
  const other = await fetch(`${id.url}/token`, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } });
  expect(other.headers.get('access-control-allow-origin')).toBeNull();
});

it('has no page without users', async () => {
  const plain = await issuer();
  expect((await fetch(`${plain.url}/authorize`)).status).toBe(404);
  await plain.close();
});
