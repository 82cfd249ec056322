/** Tokens of every kind at a server on a real socket, with an issuer on another. */
import { Caller, Feature, Tool, createServer, type Server } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { jwt, type JwtOptions } from '@sigil-mcp/oauth';
import { ALL_REVISIONS, META_KEYS } from '@sigil-mcp/protocol';
import {
  ManualClock,
  issuer as openIssuer,
  type IssuerOptions,
  type TestIssuer,
  type IssuedTokenOptions,
} from '@sigil-mcp/testing';

import { createSign, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';

const RESOURCE = 'https://mcp.example.com/mcp';

@Feature()
class Desk {
  @Tool('Says who calls')
  who({ kind, id, clientId, scopes, roles, claims }: Caller): string {
    return JSON.stringify({ kind, id, clientId, scopes, roles, tenant: claims['tenant'] });
  }
}

let issuer: TestIssuer;
let server: Server;
let url: string;
const warnings: string[] = [];
beforeEach(async () => {
  warnings.splice(0);
  issuer = await openIssuer();
});
afterEach(async () => {
  await server.close();
  await issuer.close();
});

async function start(options: Partial<JwtOptions> = {}): Promise<void> {
  const logger = { warn: (_fields: object, message: string) => void warnings.push(message) };
  const auth = jwt({ issuer: issuer.url, resource: RESOURCE, clockTolerance: 0, logger, ...options });
  server = createServer({ name: 'tokens', version: '1.0.0', features: [Desk], logger: false });
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false, auth });
  await server.listen(transport);
  url = transport.url ?? '';
}

const META = { [META_KEYS.protocolVersion]: '2026-07-28', [META_KEYS.clientCapabilities]: {} };
const MANNERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function send(token: string, body: object, headers: Record<string, string> = {}) {
  const all = { ...MANNERS, ...headers, authorization: `Bearer ${token}` };
  const response = await fetch(url, { method: 'POST', headers: all, body: JSON.stringify(body) });
  const text = await response.text();
  const challenge = response.headers.get('www-authenticate') ?? '';
  return { status: response.status, retryAfter: response.headers.get('retry-after'), challenge, text };
}
const call = (token: string) =>
  send(
    token,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who', arguments: {}, _meta: META } },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'who' },
  );
const callerOf = async (token: string): Promise<unknown> => {
  const { text } = await call(token);
  return JSON.parse((JSON.parse(text) as { result: { content: [{ text: string }] } }).result.content[0].text);
};

const now = (): number => Math.floor(Date.now() / 1000);
const FOR_US = { aud: RESOURCE };
type MakeToken = () => string;
const sign = (claims: object, more: IssuedTokenOptions = {}): string =>
  issuer.token({ sub: 'ada', clientId: 'desktop', claims: claims as IssuedTokenOptions['claims'] & {}, ...more });
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const BAD: readonly [string, MakeToken, string][] = [
  ['that is no JWT', () => 'opaque', 'cannot be verified'],
  ['that has expired', () => sign({ ...FOR_US, exp: now() - 1 }), 'has expired'],
  ['that never expires', () => sign({ ...FOR_US, exp: undefined }), 'a missing or invalid claim: exp'],
  ['that is not good yet', () => sign({ ...FOR_US, nbf: now() + 60 }), 'is not valid yet'],
  [
    'of another issuer',
    () => sign({ ...FOR_US, iss: 'https://evil.example' }),
    'an issuer that this server does not accept',
  ],
  ['without an issuer', () => sign({ ...FOR_US, iss: undefined }), 'an issuer that this server does not accept'],
  ['without an audience', () => sign({}), 'was not issued for this server'],
  ['for another server', () => sign({ aud: 'https://mcp.example.com/other' }), 'was not issued for this'],
  ['for a path below ours', () => sign({ aud: `${RESOURCE}/below` }), 'was not issued for this server'],
  ['for a path above ours', () => sign({ aud: 'https://mcp.example.com' }), 'was not issued for this server'],
  ['for ours with a slash', () => sign({ aud: `${RESOURCE}/` }), 'was not issued for this server'],
  ['for others', () => sign({ aud: ['a', 'b'] }), 'was not issued for this server'],
  ['with a subject that is no text', () => sign({ ...FOR_US, sub: 42 }), 'has a subject that is not a string'],
  ['that names nobody', () => sign({ ...FOR_US, sub: undefined, client_id: undefined }), 'names neither'],
  ['that is bound to a key', () => sign({ ...FOR_US, cnf: { jkt: 'x' } }), 'is bound to a key'],
  ['that is an ID token', () => sign({ ...FOR_US, at_hash: 'x' }, { typ: 'JWT' }), 'is an ID token'],
  ['that is an ID token of Keycloak', () => sign({ ...FOR_US, typ: 'ID' }, { typ: 'JWT' }), 'is an ID token'],
  ['for a sibling of ours', () => sign({ aud: 'https://mcp.example.com/mcp2' }), 'was not issued for this server'],
  [
    'for two siblings',
    () => sign({ aud: ['https://mcp.example.com/admin', 'https://mcp.example.com/mcp-2'] }),
    'was not issued for this server',
  ],
  [
    'for ours on another port',
    () => sign({ aud: 'https://mcp.example.com:8443/mcp' }),
    'was not issued for this server',
  ],
  ['for ours with a query', () => sign({ aud: `${RESOURCE}?tenant=b` }), 'was not issued for this server'],
  ['for ours in another case', () => sign({ aud: 'https://mcp.example.com/MCP' }), 'was not issued for this server'],
  ['of another kind', () => sign(FOR_US, { typ: 'logout+jwt' }), 'is not an access token'],
  ['of an unknown key', () => sign(FOR_US, { kid: 'unknown' }), 'a key that its issuer does not have'],
  [
    'whose claims were changed',
    () => {
      const [header, , signature] = sign(FOR_US).split('.');
      return [header, encode({ iss: issuer.url, sub: 'eve', exp: now() + 60, ...FOR_US }), signature].join('.');
    },
    'has an invalid signature',
  ],
  [
    'without a signature',
    () => sign(FOR_US, { alg: 'none' }),
    'is signed with an algorithm that this server does not accept',
  ],
  [
    'signed with the public key as a secret',
    () => sign(FOR_US, { alg: 'HS256' }),
    'is signed with an algorithm that this server does not accept',
  ],
];

describe('a token', () => {
  it.each(BAD)('%s is refused with 401 and the reason [AUTH-005, AUTH-008]', async (_what, make, reason) => {
    await start();
    const token = make();
    const { status, challenge, text } = await call(token);
    expect([status, challenge]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
    expect(challenge).toContain(reason);
    expect(challenge).toContain('resource_metadata="https://mcp.example.com/.well-known/');
    expect(text).not.toContain(token);
  });

  it.each(ALL_REVISIONS.map(({ version }) => version).filter((version) => version !== '2026-07-28'))(
    'opens a session of %s, and a refreshed one goes on with it',
    async (version) => {
      await start();
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const opened = await fetch(url, {
        method: 'POST',
        headers: { ...MANNERS, authorization: `Bearer ${sign(FOR_US)}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
      });
      expect(opened.status).toBe(200);
      const id = opened.headers.get('mcp-session-id');
      if (id === null) return;
      const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
      const session = { 'mcp-session-id': id };
      expect((await send(sign({ ...FOR_US, jti: 'two' }), ping, session)).status).toBe(200);
      expect((await send(sign({ ...FOR_US, sub: 'eve' }), ping, session)).status).toBe(404);
    },
  );

  it.each([
    ['HTTPS://MCP.Example.com:443/mcp', 'https://mcp.example.com/mcp'],
    ['https://mcp.example.com', 'https://mcp.example.com/'],
    ['https://mcp.example.com/', 'https://mcp.example.com'],
  ])('for %s may be issued for %s, which is the same', async (resource, aud) => {
    const { verify } = jwt({ issuer: issuer.url, resource });
    const request = { scheme: 'bearer', method: 'POST', url: resource, headers: {} };
    await expect(Promise.resolve(verify(sign({ aud }), request))).resolves.toMatchObject({ id: 'ada' });
  });

  it('says who calls, as the standards have it', async () => {
    await start({ audience: ['api://desk'] });
    const user = sign({ aud: ['api://desk', 'b'], scope: 'read write', roles: ['keeper'] });
    const scopes = ['read', 'write'];
    expect(await callerOf(user)).toEqual({ kind: 'user', id: 'ada', clientId: 'desktop', scopes, roles: ['keeper'] });
    expect(await callerOf(sign({ ...FOR_US, scp: ['read'] }))).toMatchObject({ scopes: ['read'] });
    expect(await callerOf(sign({ ...FOR_US, scp: 'a b', scope: 'a' }))).toMatchObject({
      scopes: ['a', 'b'],
    });
    const program = sign({ ...FOR_US, sub: 'desktop' }, { typ: 'JWT' });
    expect(await callerOf(program)).toMatchObject({ kind: 'client', id: 'desktop' });
  });

  /** Tokens as each issuer writes them, without what says nothing of the caller. */
  const TENANT = '0a1b2c3d-0000-4000-8000-000000000000';
  const ENTRA = { ver: '2.0', tid: TENANT, azp: 'desk-app', azpacr: '1' };
  const KEYCLOAK_PROGRAM = { azp: 'Nightly', client_id: 'Nightly', preferred_username: 'service-account-nightly' };
  const OF_ISSUERS: readonly [string, object, string, string][] = [
    [
      'a user at Keycloak',
      { sub: 'u-1', azp: 'desk-app', typ: 'Bearer', preferred_username: 'ada' },
      'user',
      'desk-app',
    ],
    ['a program at Keycloak', { ...KEYCLOAK_PROGRAM, sub: 'u-2', clientAddress: '10.0.0.9' }, 'client', 'Nightly'],
    ['a user with the name of a program at Keycloak', { ...KEYCLOAK_PROGRAM, sub: 'u-3' }, 'user', 'Nightly'],
    ['a user at Auth0', { sub: 'auth0|1', azp: 'desk-app', scope: 'openid' }, 'user', 'desk-app'],
    ['a program at Auth0', { sub: 'n1@clients', azp: 'n1', gty: 'client-credentials' }, 'client', 'n1'],
    ['a program at Auth0, by RFC 9068', { sub: 'n1@clients', client_id: 'n1' }, 'client', 'n1'],
    ['a user at Okta', { sub: 'ada@example.com', uid: '00u1', cid: '0oa1', scp: ['notes:read'] }, 'user', '0oa1'],
    ['a program at Okta', { sub: '0oa2', cid: '0oa2', scp: ['notes:read'] }, 'client', '0oa2'],
    ['a user at Entra', { ...ENTRA, sub: 'pairwise', oid: 'o-1', scp: 'notes.read' }, 'user', 'desk-app'],
    ['a program at Entra', { ...ENTRA, sub: 'o-2', oid: 'o-2', roles: ['admin'] }, 'client', 'desk-app'],
    ['a program at Entra that says so', { ...ENTRA, sub: 'o-2', oid: 'o-3', idtyp: 'app' }, 'client', 'desk-app'],
    ['a user at Entra, version 1', { ver: '1.0', tid: TENANT, appid: 'a', sub: 's', oid: 'o', scp: 'x' }, 'user', 'a'],
    ['a user at Cognito', { sub: 'u-4', client_id: '3n4b', token_use: 'access', username: 'ada' }, 'user', '3n4b'],
    ['a program at Cognito', { sub: '3n4c', client_id: '3n4c', token_use: 'access' }, 'client', '3n4c'],
  ];

  it.each(OF_ISSUERS)('of %s says who calls with which client', async (_what, claims, kind, clientId) => {
    await start();
    const token = sign({ ...FOR_US, client_id: undefined, ...claims });
    expect(await callerOf(token)).toMatchObject({ kind, clientId });
    expect(warnings).toEqual([]);
  });

  it('of one client of a user does not get into the session of another one, whatever claim names the client', async () => {
    await start({ clientClaim: ['app', 'cid'] });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const of = (claims: object): string => sign({ ...FOR_US, client_id: undefined, ...claims });
    const open = async (token: string): Promise<string> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      const headers = { ...MANNERS, authorization: `Bearer ${token}` };
      return (await fetch(url, { method: 'POST', headers, body })).headers.get('mcp-session-id') ?? '';
    };
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    for (const claim of ['app', 'cid']) {
      const session = { 'mcp-session-id': await open(of({ [claim]: 'one' })) };
      expect((await send(of({ [claim]: 'one', jti: '2' }), ping, session)).status).toBe(200);
      expect((await send(of({ [claim]: 'two' }), ping, session)).status).toBe(404);
    }
  });

  it('that names no client is reported once for each issuer, because all clients of its user are one', async () => {
    await start({ clientClaim: 'app' });
    for (const jti of ['1', '2']) expect((await call(sign({ ...FOR_US, jti }))).status).toBe(200);
    expect(warnings).toEqual([expect.stringContaining('name no client')]);
  });

  it('says who calls, as its author has it', async () => {
    await start({ caller: ({ realm_access: access }) => ({ roles: (access as { roles: string[] }).roles }) });
    const token = sign({ ...FOR_US, realm_access: { roles: ['admin'] }, tenant: 'one' });
    expect(await callerOf(token)).toMatchObject({ id: 'ada', roles: ['admin'], tenant: 'one' });
    expect((await call(sign(FOR_US))).status).toBe(500);
  });

  it('has to be of the demanded kind, by a demanded algorithm', async () => {
    await start({ typ: 'at+jwt', algorithms: ['RS256', 'ES256'] });
    expect((await call(sign(FOR_US, { typ: 'application/at+jwt' }))).status).toBe(200);
    expect((await call(sign(FOR_US, { typ: 'JWT' }))).status).toBe(401);
  });

  it('may be as late as clocks may differ', async () => {
    await start({ clockTolerance: 5000 });
    expect((await call(sign({ ...FOR_US, exp: now() - 2 }))).status).toBe(200);
    expect((await call(sign({ ...FOR_US, exp: now() - 8 }))).status).toBe(401);
  });

  it('is remembered no longer than it lives', async () => {
    const clock = new ManualClock(Date.now());
    await start({ clock });
    const token = sign({ ...FOR_US, exp: now() + 2 });
    expect((await call(token)).status).toBe(200);
    await clock.advance(3000);
    expect((await call(token)).status).toBe(401);
  });

  it('of one of several issuers is verified with the keys of that one', async () => {
    const other = await openIssuer({ audience: RESOURCE });
    await start({ issuer: [issuer.url, other.url] });
    expect((await call(other.token())).status).toBe(200);
    expect((await call(other.token({ claims: { iss: issuer.url } }))).status).toBe(401);
    await other.close();
  });
});

const PLACES = ['oauth-authorization-server', 'openid-configuration'].flatMap((place) =>
  ['', '/realms/notes'].map((path) => [place as 'openid-configuration', path] as const),
);
const REQUEST = { scheme: 'bearer', method: 'POST', url: '', headers: {} };
type Jwks = readonly Readonly<Record<string, unknown>>[];

/** Whose a token is, or the status that refuses it. */
function verifier(options: Partial<JwtOptions>): (token: string) => Promise<string | number | undefined> {
  const logger = { warn: () => undefined };
  const auth = jwt({ issuer: issuer.url, resource: RESOURCE, clockTolerance: 0, logger, ...options });
  return async (token) => {
    try {
      return (await auth.verify(token, REQUEST))?.id;
    } catch (error) {
      return (error as { status: number }).status;
    }
  };
}

async function reopen(options: IssuerOptions): Promise<void> {
  await issuer.close();
  issuer = await openIssuer(options);
}

describe('the keys of an issuer', () => {
  it.each(PLACES)('are found by the metadata at %s of an issuer with the path "%s", once', async (place, path) => {
    await reopen({ metadataAt: [place], path });
    await start();
    expect(issuer.asked).toEqual([]);
    const tokens = ['a', 'b', 'c'].map((jti) => sign({ ...FOR_US, jti }));
    for (const { status } of await Promise.all(tokens.map(call))) expect(status).toBe(200);
    expect(issuer.count('/keys')).toBe(1);
  });

  it('are fetched again for one that is not known, once in a while', async () => {
    const clock = new ManualClock(Date.now());
    const verify = verifier({ clock, keyCooldown: 1000 });
    await verify(sign(FOR_US));
    await clock.advance(1000);
    await issuer.rotate();
    expect(await verify(sign(FOR_US))).toBe('ada');
    expect(issuer.count('/keys')).toBe(2);
  });

  it('are fetched once in each cool-down, by however many tokens that name a key of their own', async () => {
    const [clock, keyCooldown] = [new ManualClock(Date.now()), 10_000];
    const verify = verifier({ clock, keyCooldown });
    // More than the names of keys that are remembered.
    const tokens = Array.from({ length: 1100 }, (_, at) =>
      sign({ ...FOR_US, exp: now() + 600 }, { kid: `made-up-${at}` }),
    );
    const good = sign({ ...FOR_US, exp: now() + 600 });
    expect(await verify(good)).toBe('ada');
    for (const fetches of [1, 2, 3]) {
      const answers = new Set(await Promise.all(tokens.map(verify)));
      // Nobody is sent to sign in again because of a key that could not be looked for: the first were too early for that.
      expect([...answers]).toEqual([fetches === 1 ? 503 : 401]);
      expect(issuer.count('/keys')).toBe(fetches);
      await clock.advance(keyCooldown);
    }
    expect(await verify(sign({ ...FOR_US, jti: 'another', exp: now() + 600 }))).toBe('ada');
  });

  it('that are new are no reason to sign in again while they cannot be looked for, whatever others send', async () => {
    const clock = new ManualClock(Date.now());
    const logger = { warn: () => undefined };
    const auth = jwt({ issuer: issuer.url, resource: RESOURCE, clock, logger });
    const denied = async (token: string): Promise<unknown> => {
      try {
        return (await auth.verify(token, REQUEST))?.id;
      } catch (error) {
        const { status, retryAfter } = error as { status: number; retryAfter?: number };
        return [status, retryAfter];
      }
    };
    const claims = { ...FOR_US, exp: now() + 600 };
    await denied(sign(claims));
    await clock.advance(30_000);
    const madeUp = sign(claims, { kid: 'made-up' });
    expect(await denied(madeUp)).toEqual([401, undefined]);
    await issuer.rotate();
    const fresh = sign(claims);
    await clock.advance(10_000);
    expect(await denied(fresh)).toEqual([503, 20]);
    // It was looked for, and it is not there.
    expect(await denied(madeUp)).toEqual([401, undefined]);
    await clock.advance(20_000);
    // Somebody else's made-up key causes the fetch that brings the new one.
    expect(await denied(sign(claims, { kid: 'another' }))).toEqual([401, undefined]);
    expect(await denied(fresh)).toBe('ada');
    expect(issuer.count('/keys')).toBe(3);
  });

  it.each<[string, (keys: Jwks) => Jwks]>([
    ['has two keys of the algorithm, and the token names none', (keys) => keys],
    ['gives the same name to both, and the token names it', (keys) => keys.map((key) => ({ ...key, kid: 'same' }))],
    ['names none of its keys, whatever the token names', (keys) => keys.map(({ kid: _kid, ...key }) => key)],
  ])('are tried one after another where the issuer %s', async (how, change) => {
    const pairs = ['one', 'two'].map((kid) => {
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256' } };
    });
    const keys = change(pairs.map(({ jwk }) => jwk));
    const kid = how.includes('names it') ? 'same' : how.includes('whatever') ? 'something' : undefined;
    const served = createHttp((request, response) => {
      const metadata = { issuer: origin, jwks_uri: `${origin}/keys` };
      response.end(JSON.stringify(request.url === '/keys' ? { keys } : metadata));
    }).listen(0, '127.0.0.1');
    await once(served, 'listening');
    const origin = `http://127.0.0.1:${(served.address() as AddressInfo).port}`;
    const auth = jwt({ issuer: origin, resource: RESOURCE });
    for (const { privateKey } of pairs) {
      const claims = { sub: 'ada', iss: origin, exp: now() + 60, ...FOR_US };
      const text = `${encode({ alg: 'RS256', typ: 'at+jwt', kid })}.${encode(claims)}`;
      const signature = createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url');
      expect((await auth.verify(`${text}.${signature}`, REQUEST))?.id).toBe('ada');
      const forged = `${encode({ alg: 'RS256', typ: 'at+jwt', kid })}.${encode({ ...claims, sub: 'eve' })}.${signature}`;
      await expect(Promise.resolve().then(() => auth.verify(forged, REQUEST))).rejects.toThrow();
    }
    served.close();
    served.closeAllConnections();
  });

  it('without names are fetched again for a token that none of them has signed', async () => {
    let pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    let fetches = 0;
    const served = createHttp((request, response) => {
      const metadata = { issuer: origin, jwks_uri: `${origin}/keys` };
      const keys = [{ ...pair.publicKey.export({ format: 'jwk' }), alg: 'RS256' }];
      if (request.url === '/keys') fetches++;
      response.end(JSON.stringify(request.url === '/keys' ? { keys } : metadata));
    }).listen(0, '127.0.0.1');
    await once(served, 'listening');
    const origin = `http://127.0.0.1:${(served.address() as AddressInfo).port}`;
    const clock = new ManualClock(Date.now());
    const auth = jwt({ issuer: origin, resource: RESOURCE, clock });
    const signed = (): string => {
      const text = `${encode({ alg: 'RS256' })}.${encode({ sub: 'ada', iss: origin, exp: now() + 600, ...FOR_US })}`;
      return `${text}.${createSign('RSA-SHA256').update(text).sign(pair.privateKey, 'base64url')}`;
    };
    expect((await auth.verify(signed(), REQUEST))?.id).toBe('ada');
    pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const verify = async (): Promise<unknown> => (await auth.verify(signed(), REQUEST))?.id;
    await expect(verify()).rejects.toMatchObject({ status: 503, retryAfter: 30 });
    await clock.advance(30_000);
    expect([await verify(), fetches]).toEqual(['ada', 2]);
    served.close();
    served.closeAllConnections();
  });

  it('that were withdrawn are good for five minutes at most for tokens that were verified with them', async () => {
    const clock = new ManualClock(Date.now());
    const verify = verifier({ clock, keyMaxAge: 60_000, keyCooldown: 1 });
    const token = sign({ ...FOR_US, exp: now() + 3600 });
    expect(await verify(token)).toBe('ada');
    await issuer.rotate();
    await clock.advance(299_999);
    // The keys are those of today.
    expect(await verify(sign({ ...FOR_US, exp: now() + 3600 }))).toBe('ada');
    expect(await verify(token)).toBe('ada');
    await clock.advance(1);
    expect(await verify(token)).toBe(401);
  });

  it.each([
    'https://169.254.169.254/keys',
    'https://10.0.0.1/keys',
    'https://[::1]/keys',
    'https://[::ffff:10.0.0.1]/keys',
    'https://2130706433/keys',
    'https://localhost/keys',
    'https://db.internal/keys',
    'https://vault/keys',
  ])('at %s are not asked for where the issuer is on the open network', async (place) => {
    const asked: string[] = [];
    const real = globalThis.fetch;
    globalThis.fetch = (input) => {
      asked.push(input instanceof Request ? input.url : input.toString());
      return Promise.resolve(Response.json({ issuer: 'https://id.example.com', jwks_uri: place }));
    };
    const failures: unknown[] = [];
    try {
      const logger = { warn: (fields: object) => void failures.push(fields) };
      const auth = jwt({ issuer: 'https://id.example.com', resource: RESOURCE, logger });
      const token = sign({ ...FOR_US, iss: 'https://id.example.com' });
      await expect(Promise.resolve().then(() => auth.verify(token, REQUEST))).rejects.toMatchObject({ status: 503 });
    } finally {
      globalThis.fetch = real;
    }
    expect(asked).toEqual(['https://id.example.com/.well-known/oauth-authorization-server']);
    expect(failures).toMatchObject([{ err: { code: 'SIGIL_ISSUER_METADATA' } }]);
  });

  it('that were fetched go on while the issuer is gone', async () => {
    await start({ keyMaxAge: 0, keyCooldown: 0 });
    expect((await call(sign(FOR_US))).status).toBe(200);
    issuer.fail(500);
    for (const jti of ['a', 'b']) expect((await call(sign({ ...FOR_US, jti }))).status).toBe(200);
    expect((await call(sign(FOR_US, { kid: 'unknown' }))).status).toBe(503);
  });

  it('that cannot be fetched are answered with 503, never 401, and are not requested for each token', async () => {
    issuer.fail(500);
    await start();
    for (const jti of ['a', 'b', 'c']) {
      const { status, retryAfter, challenge } = await call(sign({ ...FOR_US, jti }));
      expect([status, retryAfter, challenge]).toEqual([503, '5', '']);
    }
    expect([issuer.asked.length, warnings]).toEqual([1, ['The keys of an issuer could not be fetched']]);
  });

  it('are not taken from metadata of another issuer', async () => {
    await reopen({ metadata: { issuer: 'https://evil.example' } });
    await start();
    expect((await call(sign(FOR_US))).status).toBe(503);
    expect(issuer.count('/keys')).toBe(0);
  });
});

describe('jwt', () => {
  it.each<[Partial<JwtOptions>, string]>([
    [{ issuer: [] }, 'issuer'],
    [{ issuer: 'id.example.com' }, 'issuer'],
    [{ algorithms: ['HS256'] }, 'algorithms'],
    [{ algorithms: ['none'] }, 'algorithms'],
    [{ algorithms: [] }, 'algorithms'],
  ])('refuses %j', async (options, word) => {
    await start();
    const make = () => jwt({ issuer: issuer.url, resource: RESOURCE, ...options });
    expect(make).toThrow(
      expect.objectContaining({ code: 'SIGIL_JWT_OPTION', message: expect.stringContaining(word) as string }),
    );
  });
});
