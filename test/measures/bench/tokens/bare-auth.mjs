/** The least that a signed token can cost: its signature is verified by node:crypto, and all else about it is taken for granted. */
import { constants, createPublicKey, verify } from 'node:crypto';
import { createRequire } from 'node:module';

const { Caller } = createRequire(import.meta.url)('@sigil-mcp/core');
const MANNERS = {
  RS256: ['sha256', { padding: constants.RSA_PKCS1_PADDING }],
  ES256: ['sha256', { dsaEncoding: 'ieee-p1363' }],
  EdDSA: [undefined, {}],
};

/** @returns an `auth` for the tokens of an issuer, all of one caller */
export async function bareAuth(issuer, resource) {
  const { keys } = await (await globalThis.fetch(`${issuer}/keys`)).json();
  const known = new Map(
    keys.map((jwk) => {
      const [hash, manner] = MANNERS[jwk.alg];
      return [jwk.kid, { hash, key: { key: createPublicKey({ key: jwk, format: 'jwk' }), ...manner } }];
    }),
  );
  const caller = new Caller({ id: 'ada', clientId: 'desktop', issuer });
  const checks = (token) => {
    const [header, payload, signature] = token.split('.');
    const { hash, key } = known.get(JSON.parse(Buffer.from(header, 'base64url')).kid);
    return verify(hash, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
  };
  return { resource, authorizationServers: [issuer], verify: (token) => (checks(token) ? caller : undefined) };
}
