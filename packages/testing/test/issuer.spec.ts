/** The issuer of tests, judged by jose. */
import { issuer, type TestIssuer } from '@sigil-mcp/testing';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';

const RESOURCE = 'https://mcp.example.com/mcp';

let id: TestIssuer;
afterEach(() => id.close());

const json = async (path: string, init?: RequestInit): Promise<unknown> =>
  (await fetch(`${new URL(id.url).origin}${path}`, init)).json();
const verify = (token: string) => jwtVerify(token, createRemoteJWKSet(new URL('/keys', id.url)), { issuer: id.url });

describe('a token of an issuer', () => {
  it.each(['RS256', 'RS384', 'PS256', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'that is signed with %s is verified with the keys that it publishes',
    async (alg) => {
      id = await issuer({ algorithms: [alg] });
      const { protectedHeader } = await verify(id.token());
      expect(protectedHeader).toEqual({ alg, kid: id.keys[0]?.['kid'], typ: 'at+jwt' });
    },
  );

  it('claims what RFC 9068 has, and what the test says', async () => {
    id = await issuer({ audience: RESOURCE });
    const { payload } = await verify(id.token());
    expect(payload).toMatchObject({ iss: id.url, aud: RESOURCE, sub: 'test-user', client_id: 'test-client' });
    expect((payload.exp ?? 0) - (payload.iat ?? Infinity)).toBeGreaterThanOrEqual(60);
    expect(payload).not.toHaveProperty('scope');
    const other = id.token({ sub: 'ada', clientId: 'phone', scope: ['a', 'b'], aud: ['x'], expiresIn: -5000 });
    expect(decodeJwt(other)).toMatchObject({ sub: 'ada', client_id: 'phone', scope: 'a b', aud: ['x'] });
    await expect(verify(other)).rejects.toThrow('"exp" claim timestamp check failed');
    expect(decodeJwt(id.token({ claims: { sub: undefined, tenant: 1 } }))).toEqual(
      expect.not.objectContaining({ sub: expect.anything() as string }),
    );
  });

  it('can be what attackers make', async () => {
    id = await issuer();
    expect(id.token({ alg: 'none' })).toMatch(/\.$/);
    expect(decodeProtectedHeader(id.token({ alg: 'HS256', kid: 'mine', typ: 'JWT' }))).toEqual({
      alg: 'HS256',
      kid: 'mine',
      typ: 'JWT',
    });
    await expect(verify(id.token({ alg: 'HS256' }))).rejects.toThrow();
    expect(() => id.token({ alg: 'RS256' })).toThrow(
      expect.objectContaining({
        code: 'SIGIL_TEST_ISSUER_ALGORITHM',
        message: expect.stringContaining('ES256') as string,
      }),
    );
  });
});

describe('an issuer', () => {
  it('of an algorithm that nobody knows does not open', async () => {
    id = await issuer();
    await expect(issuer({ algorithms: ['XY1'] })).rejects.toMatchObject({ code: 'SIGIL_TEST_ISSUER_ALGORITHM' });
  });

  it('has its metadata at the well-known places, also below a path', async () => {
    id = await issuer({ path: '/realms/notes', metadata: { scopes_supported: ['a'] } });
    for (const place of [
      '/.well-known/oauth-authorization-server/realms/notes',
      '/realms/notes/.well-known/openid-configuration',
    ])
      expect(await json(place)).toMatchObject({ issuer: id.url, scopes_supported: ['a'] });
    expect(id.url).toMatch(/\/realms\/notes$/);
    expect(id.asked).toHaveLength(2);
    expect(id.count('/keys')).toBe(0);
  });

  it('signs with other keys after it rotated them, and keeps the others if it is told to', async () => {
    id = await issuer();
    const before = id.token();
    await id.rotate({ keep: true });
    for (const token of [before, id.token()]) await expect(verify(token)).resolves.toBeDefined();
    await id.rotate();
    await expect(verify(before)).rejects.toThrow('no applicable key');
    await expect(verify(id.token())).resolves.toBeDefined();
  });

  it('fails while it is told to, with a status or without', async () => {
    id = await issuer();
    id.fail(503);
    expect((await fetch(`${id.url}/keys`)).status).toBe(503);
    id.fail();
    await expect(fetch(`${id.url}/keys`)).rejects.toThrow('fetch failed');
    id.recover();
    expect((await fetch(`${id.url}/keys`)).status).toBe(200);
  });

  it('says what its tokens are, to those who may ask', async () => {
    id = await issuer({ client: { id: 'the server', secret: 's:e%c' } });
    const token = id.token({ opaque: true, sub: 'ada', scope: 'a' });
    const ask = (asked: string, more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      json('/introspect', { method: 'POST', body: new URLSearchParams({ token: asked, ...more }), headers });
    const post = { client_id: 'the server', client_secret: 's:e%c' };
    const basic = { authorization: `Basic ${Buffer.from('the+server:s%3Ae%25c').toString('base64')}` };
    expect(token).not.toContain('.');
    expect(await ask(token, post)).toMatchObject({ active: true, sub: 'ada', scope: 'a', iss: id.url });
    expect(await ask(token, {}, basic)).toMatchObject({ active: true });
    expect(await ask(id.token(), post)).toMatchObject({ active: true, sub: 'test-user' });
    expect(await ask(id.token({ expiresIn: -1 }), post)).toEqual({ active: false });
    expect(await ask('made-up', post)).toEqual({ active: false });
    expect(await ask(token)).toEqual({ error: 'invalid_client' });
    id.revoke(token);
    expect(await ask(token, post)).toEqual({ active: false });
  });
});
