/** Signatures of every algorithm, good ones and those that only look like it. */
import { Denial } from '@sigil-mcp/core';
import { jwt } from '@sigil-mcp/oauth';
import { issuer as openIssuer, type TestIssuer } from '@sigil-mcp/testing';
import { SignJWT, type JWTHeaderParameters } from 'jose';
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const RESOURCE = 'https://mcp.example.com/mcp';
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await openIssuer({ audience: RESOURCE, algorithms: ALGORITHMS });
});
afterAll(() => issuer.close());

const REQUEST = { scheme: 'bearer', method: 'POST', url: RESOURCE, headers: {} };
const QUIET = { warn: () => undefined };

/** What the verifier says of a token: the id of its caller, or the reason why there is none. */
function verifier(of: TestIssuer = issuer): (token: string) => Promise<string> {
  const auth = jwt({ issuer: of.url, resource: RESOURCE, logger: QUIET });
  return async (token) => {
    try {
      return (await auth.verify(token, REQUEST))?.id ?? 'nobody';
    } catch (error) {
      if (error instanceof Denial) return `${error.status}: ${error.message}`;
      throw error;
    }
  };
}

const WRONG = '401: The token has an invalid signature.';
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const headerOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Record<string, unknown>;

describe('a signature', () => {
  it.each(ALGORITHMS)('of %s counts, and is wrong in every other form [AUTH-005]', async (alg) => {
    const verify = verifier();
    expect(await verify(issuer.token({ alg, sub: 'ada' }))).toBe('ada');
    const [header = '', claims = '', signature = ''] = issuer.token({ alg }).split('.');
    const bytes = Buffer.from(signature, 'base64url');
    const others: string[] = [
      '',
      'AAAA',
      signature.slice(0, -4),
      `${signature}AAAA`,
      `${signature}=`,
      `${signature.slice(0, 8)}~${signature.slice(8)}`,
      Buffer.alloc(bytes.length).toString('base64url'),
      Buffer.alloc(bytes.length, 255).toString('base64url'),
      Buffer.concat([bytes.subarray(0, 10), Buffer.from([(bytes[10] ?? 0) ^ 1]), bytes.subarray(11)]).toString(
        'base64url',
      ),
      issuer.token({ alg, sub: 'eve' }).split('.')[2] ?? '',
    ];
    for (const other of others) expect([other, await verify(`${header}.${claims}.${other}`)]).toEqual([other, WRONG]);
  });

  it('is of the algorithm and the key that the header names [AUTH-005]', async () => {
    const verify = verifier();
    const token = issuer.token({ alg: 'RS256' });
    const [, claims, signature] = token.split('.');
    const header = headerOf(token);
    for (const alg of ['RS512', 'PS256', 'ES256', 'EdDSA']) {
      const said = await verify(`${encode({ ...header, alg })}.${claims}.${signature}`);
      expect([alg, said]).toEqual([alg, '401: The token is signed with a key that its issuer does not have.']);
    }
    const kid = headerOf(issuer.token({ alg: 'PS256' }))['kid'];
    expect(await verify(`${encode({ ...header, alg: 'PS256', kid })}.${claims}.${signature}`)).toBe(WRONG);
  });

  it('of a key without an algorithm of its own is checked by the algorithm of the header [AUTH-005]', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const keys = await publish({ ...publicKey.export({ format: 'jwk' }), kid: 'bare' });
    const verify = verifier(keys.issuer);
    for (const alg of ['RS256', 'PS256', 'RS512', 'PS512'])
      expect([alg, await verify(await keys.token(privateKey, { alg, kid: 'bare' }))]).toEqual([alg, 'ada']);
    expect(await verify(await keys.token(privateKey, { alg: 'RS256' }))).toBe('ada');
    await keys.close();
  });

  it('by an RSA key that is too short does not count', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const keys = await publish({ ...publicKey.export({ format: 'jwk' }), kid: 'short' });
    const [header, claims] = (
      await keys.token(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, { alg: 'RS256', kid: 'short' })
    ).split('.');
    const signature = sign('sha256', Buffer.from(`${header}.${claims}`), privateKey).toString('base64url');
    expect(await verifier(keys.issuer)(`${header}.${claims}.${signature}`)).toBe(
      '401: The token is signed with a key that is too short.',
    );
    await keys.close();
  });

  it('of a token with an extension that has to be understood does not count', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keys = await publish({ ...publicKey.export({ format: 'jwk' }), kid: 'one' });
    const header = { alg: 'ES256', kid: 'one', crit: ['b64'], b64: true };
    expect(await verifier(keys.issuer)(await keys.token(privateKey, header))).toBe(
      '401: The token has a critical header that this server does not support.',
    );
    await keys.close();
  });

  it.each(['a.b', 'a.b.c', '..', 'a.b.c.d.e', `${encode({ alg: 'ES256' })}.x.y`, `${encode([])}.${encode({})}.y`])(
    'of what is no token, such as %s, does not count',
    async (text) => {
      expect(await verifier()(text)).toMatch(/^401: /);
    },
  );

  it.each([5, null, ['a'], {}])(
    'of a key whose name is %j counts only where there is one key of its kind',
    async (kid) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const keys = await publish({ ...publicKey.export({ format: 'jwk' }), kid: 'one' });
      const token = await keys.token(privateKey, { alg: 'ES256', kid: kid as never });
      expect(await verifier(keys.issuer)(token)).toBe('ada');
      await keys.close();
    },
  );
});

/** An issuer whose set of keys is this one. */
async function publish(jwk: object) {
  const server = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] }))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const opened = await openIssuer({ metadata: { jwks_uri: `http://127.0.0.1:${port}` } });
  const claims = { iss: opened.url, aud: RESOURCE, sub: 'ada', exp: Math.floor(Date.now() / 1000) + 60 };
  return {
    issuer: opened,
    token: (key: KeyObject, header: JWTHeaderParameters): Promise<string> =>
      new SignJWT(claims).setProtectedHeader(header).sign(key),
    close: async () => {
      await opened.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
