/** Issuers whose keys are elsewhere, and families of issuers: what is trusted is what the author has named, and `iss` is compared exactly. */
import type { Caller, SigilError } from '@sigil-mcp/core';
import { introspection, jwt, type JwtIssuer, type JwtOptions } from '@sigil-mcp/oauth';
import { KeySet } from '../src/key-set';
import { issuer as openIssuer, type IssuedTokenOptions, type TestIssuer } from '@sigil-mcp/testing';

const resource = 'https://mcp.example.com/mcp';
const PUBLIC = 'https://login.example/realms/notes';
const FAMILY = 'https://login.example/{tenantid}/v2.0';
const [OURS, OTHERS] = ['8f0e6a3b-6f0f-4d2b-9c61-0d4c1f3f7a11', '11111111-2222-4333-8444-555555555555'];

let issuer: TestIssuer;
const warnings: string[] = [];
beforeEach(() => void warnings.splice(0));
afterEach(() => issuer.close());

/** Opens an issuer that calls itself by another URL than the one at which it is. */
async function open(name: string): Promise<{ metadata: string; keys: string }> {
  issuer = await openIssuer({ metadata: { issuer: name } });
  const metadata = `${issuer.url}/.well-known/openid-configuration`;
  const { jwks_uri: keys } = (await (await fetch(metadata)).json()) as { jwks_uri: string };
  return { metadata, keys };
}

const authOf = (trusted: JwtIssuer, more: Partial<JwtOptions> = {}) =>
  jwt({ issuer: trusted, resource, logger: { warn: (_fields, message) => void warnings.push(message) }, ...more });
const verified = async (auth: ReturnType<typeof jwt>, token: string): Promise<Caller | undefined> =>
  auth.verify(token, { scheme: 'bearer', method: 'POST', url: resource, headers: {} });
const sign = (claims: object, more: IssuedTokenOptions = {}): string =>
  issuer.token({ sub: 'ada', clientId: 'desktop', claims: { aud: resource, ...claims }, ...more });
const REFUSED = { status: 401, message: expect.stringContaining('issuer that this server does not accept') as string };

describe('an issuer whose keys are elsewhere', () => {
  it('is known by keys at another address, as of a container, and by its own name alone', async () => {
    const { keys } = await open(PUBLIC);
    const auth = authOf({ url: PUBLIC, keys });
    expect(auth.authorizationServers).toEqual([PUBLIC]);
    await expect(verified(auth, sign({ iss: PUBLIC }))).resolves.toMatchObject({ id: 'ada', issuer: PUBLIC });
    for (const iss of [issuer.url, `${PUBLIC}/`, PUBLIC.toUpperCase()])
      await expect(verified(auth, sign({ iss }))).rejects.toMatchObject(REFUSED);
  });

  it('is known by its metadata at another address, which has to be its own', async () => {
    const { metadata } = await open(PUBLIC);
    await expect(verified(authOf({ url: PUBLIC, metadata }), sign({ iss: PUBLIC }))).resolves.toMatchObject({
      id: 'ada',
    });
    const url = 'https://login.example/realms/other';
    await expect(verified(authOf({ url, metadata }), sign({ iss: url }))).rejects.toMatchObject({ status: 503 });
    expect(warnings).toEqual(['The keys of an issuer could not be fetched']);
  });

  it('is known by keys that are given, and nothing is fetched', async () => {
    await open(PUBLIC);
    const auth = authOf({ url: PUBLIC, keys: { keys: [...issuer.keys] } });
    const [token, { rotated }] = [sign({ iss: PUBLIC }), { rotated: () => sign({ iss: PUBLIC }) }];
    await issuer.rotate();
    const later = rotated();
    await issuer.close();
    await expect(verified(auth, token)).resolves.toMatchObject({ id: 'ada' });
    await expect(verified(auth, later)).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining('a key that its issuer does not have') as string,
    });
    expect(warnings).toEqual([]);
  });
});

describe('a family of issuers', () => {
  const of = (tenant: string, more: object = {}): string =>
    sign({ iss: FAMILY.replace('{tenantid}', tenant), tid: tenant, ...more });

  it('has the tenants of a list, each of which its token names twice', async () => {
    const { metadata } = await open(FAMILY);
    const auth = authOf({ url: FAMILY, metadata, tenants: [OURS] });
    await expect(verified(auth, of(OURS))).resolves.toMatchObject({ issuer: FAMILY.replace('{tenantid}', OURS) });
    const refused = [
      of(OTHERS),
      of(OURS, { tid: OTHERS }),
      of(OURS, { tid: undefined }),
      of(OURS, { tid: [OURS] }),
      sign({ iss: FAMILY, tid: OURS }),
      sign({ iss: FAMILY, tid: '{tenantid}' }),
      of(`${OURS}/x`),
      of(''),
      sign({ iss: 'https://login.example//v2.0', tid: '' }),
      sign({ iss: 'https://login.example/v2.0', tid: OURS }),
      sign({ iss: undefined, tid: OURS }),
      sign({ iss: 42, tid: OURS }),
      sign({ iss: [FAMILY.replace('{tenantid}', OURS)], tid: OURS }),
      sign({ iss: null, tid: OURS }),
    ];
    for (const token of refused) await expect(verified(auth, token)).rejects.toMatchObject({ status: 401 });
  });

  it('has the tenants that a function accepts, which hears of no token with a wrong signature', async () => {
    const { keys } = await open(FAMILY);
    const asked: unknown[] = [];
    const tenants = (tenant: string, claims: object): Promise<boolean> => {
      asked.push([tenant, 'plan' in claims]);
      return Promise.resolve(tenant === OURS);
    };
    const authorizationServer = 'https://login.example/organizations/v2.0';
    const auth = authOf({ url: FAMILY, keys, tenants, authorizationServer });
    expect(auth.authorizationServers).toEqual([authorizationServer]);
    await expect(verified(auth, of(OURS, { plan: 'x' }))).resolves.toMatchObject({ id: 'ada' });
    await expect(verified(auth, of(OTHERS))).rejects.toMatchObject(REFUSED);
    const [head, body] = of(OURS, { forged: true }).split('.');
    const [, , signature] = of(OURS).split('.');
    await expect(verified(auth, [head, body, signature].join('.'))).rejects.toMatchObject({ status: 401 });
    expect(asked).toEqual([
      [OURS, true],
      [OTHERS, false],
    ]);
  });

  it('has another claim for the tenant, if its options say so', async () => {
    const { keys } = await open(FAMILY);
    const tenants = [OURS];
    const auth = authOf({ url: FAMILY, keys, tenants, tenantClaim: 'org', authorizationServer: PUBLIC });
    await expect(verified(auth, of(OURS, { org: OURS }))).resolves.toMatchObject({ id: 'ada' });
    await expect(verified(auth, of(OURS, { org: OTHERS, tid: OURS }))).rejects.toMatchObject(REFUSED);
  });

  it('accepts no token of a member that is signed with the key of another one', async () => {
    await open(FAMILY);
    const keysFor = (owner: string) => ({ keys: issuer.keys.map((key) => ({ ...key, issuer: owner })) });
    const tenants = [OURS, OTHERS];
    const auth = (owner: string) => authOf({ url: FAMILY, keys: keysFor(owner), tenants, authorizationServer: PUBLIC });
    await expect(verified(auth(FAMILY), of(OURS))).resolves.toMatchObject({ id: 'ada' });
    const own = auth(FAMILY.replace('{tenantid}', OTHERS));
    await expect(verified(own, of(OTHERS))).resolves.toMatchObject({ id: 'ada' });
    await expect(verified(own, of(OURS))).rejects.toMatchObject({ status: 401 });
    // A token that names no key may be signed with any of them.
    const [key] = keysFor(FAMILY.replace('{tenantid}', OTHERS)).keys;
    expect(new KeySet({ keys: [{ ...key, kid: 'one' }] }).issuerOf(undefined)).toContain(OTHERS);
  });

  it('is found by clients where its metadata is', async () => {
    issuer = await openIssuer();
    const metadata = 'https://login.example/organizations/v2.0/.well-known/openid-configuration';
    expect(authOf({ url: FAMILY, metadata, tenants: [OURS] }).authorizationServers).toEqual([
      'https://login.example/organizations/v2.0',
    ]);
  });
});

describe('options that cannot be used', () => {
  beforeEach(async () => (issuer = await openIssuer()));

  it.each<[string, JwtIssuer | readonly string[]]>([
    ['issuer', []],
    ['issuer', undefined as never],
    ['issuer', {} as never],
    ['issuer', { url: 'login.example' }],
    ['issuer', { url: 'https://{tenant}.example/v2.0', tenants: ['a'], metadata: 'https://a.example/m' }],
    ['issuer', { url: 'https://login.example/{a}/{b}', tenants: ['a'], metadata: 'https://a.example/m' }],
    ['metadata', { url: PUBLIC, metadata: 'http://login.example/metadata' }],
    ['metadata', { url: PUBLIC, metadata: '/metadata' }],
    ['metadata', { url: FAMILY, tenants: ['a'] }],
    ['keys', { url: PUBLIC, keys: 'http://login.example/keys' }],
    ['keys', { url: PUBLIC, keys: { keys: [] } }],
    ['tenants', { url: FAMILY, metadata: 'https://a.example/m' }],
    ['tenants', { url: FAMILY, metadata: 'https://a.example/m', tenants: [] }],
    ['tenants', { url: PUBLIC, tenants: ['a'] }],
    ['authorizationServer', { url: FAMILY, tenants: ['a'], keys: 'https://a.example/keys' }],
    ['authorizationServer', { url: PUBLIC, authorizationServer: 'nowhere' }],
  ])('are an error at the start that names %s: %j', (option, wrong) => {
    const start = () => jwt({ issuer: wrong, resource });
    expect(start).toThrow(expect.objectContaining({ code: 'SIGIL_JWT_OPTION' }) as SigilError);
    expect(start).toThrow(`the ${option} of jwt()`);
  });

  it('are those that do not exist, each with the nearest name', () => {
    const wrong = ['jwksUri', 'keys', 'metadata', 'issuers', 'scope', 'audiences', 'clockTolerence', 'algorithm'];
    for (const name of wrong)
      expect(() => jwt({ issuer: PUBLIC, resource, [name]: 'x' })).toThrow(
        `jwt({ ${name} }): there is no such option.`,
      );
    expect(() => jwt({ issuer: PUBLIC, resource, scope: 'x' } as JwtOptions)).toThrow('Did you mean scopes?');
    expect(() => jwt({ issuer: { url: PUBLIC, key: 'https://a.example' } as JwtIssuer, resource })).toThrow(
      'jwt({ issuer: { key } }): there is no such option.\n     Use one of: url, metadata, keys, tenants, tenantClaim, authorizationServer. Did you mean keys?',
    );
    const asked = { issuer: PUBLIC, clientId: 'a', clientSecret: 'b', resource };
    expect(() => introspection({ ...asked, endpoint: 'x' } as never)).toThrow('introspection({ endpoint })');
    expect(() => introspection({ ...asked, clientId: '' })).toThrow('introspection({ clientId }): it is "".');
    expect(() => jwt(undefined as never)).toThrow('jwt(…): it is undefined.');
  });

  it('are none of another container, by its name or its address', () => {
    for (const host of [
      'http://keycloak:8080',
      'http://10.0.0.7',
      'http://keycloak.internal',
      'https://login.example',
    ]) {
      expect(() => jwt({ issuer: { url: PUBLIC, keys: `${host}/certs` }, resource })).not.toThrow();
      const asked = { issuer: PUBLIC, url: `${host}/introspect`, clientId: 'a', clientSecret: 'b', resource };
      expect(() => introspection(asked)).not.toThrow();
    }
  });
});
