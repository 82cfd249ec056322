/** An authorization server as far as a resource server sees it: keys of its own, metadata, and tokens, on a real socket. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

/** Where metadata can be found. */
export const PLACES = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'] as const;

export class TinyIssuer {
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  /** What every request is answered with, in place of what is there. */
  status: number | undefined;
  place: string = PLACES[0];
  /** What the metadata call it; its URL if left out. */
  alias: string | undefined;
  #keys: { readonly kid: string; readonly secret: CryptoKey; readonly jwk: JWK }[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.asked.push(request.url ?? '');
    const document = this.status === undefined ? this.#documents()[request.url ?? ''] : undefined;
    response.writeHead(this.status ?? (document ? 200 : 404), { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });

  static async open(): Promise<TinyIssuer> {
    const issuer = new TinyIssuer();
    issuer.#server.listen(0, '127.0.0.1');
    await once(issuer.#server, 'listening');
    await issuer.rotate();
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The public part of the key that signs. */
  get publicKey(): JWK {
    return this.#keys.at(-1)?.jwk ?? {};
  }

  /** How often the keys were fetched. */
  get fetches(): number {
    return this.asked.filter((path) => path === '/keys').length;
  }

  /** Signs with another key from now on; the others are forgotten. */
  async rotate(): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const kid = `key-${Date.now()}-${Math.random()}`;
    this.#keys = [{ kid, secret: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }];
  }

  /** A token with these claims beside the usual ones; undefined leaves one out. */
  sign(claims: JWTPayload, header: object = {}): Promise<string> {
    const key = this.#keys.at(-1);
    if (!key) throw new Error('There is no key.');
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: this.url, sub: 'ada', client_id: 'desktop', iat: now, exp: now + 60, ...claims };
    return new SignJWT(JSON.parse(JSON.stringify(all)) as JWTPayload)
      .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'at+jwt', ...header })
      .sign(key.secret);
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #documents(): Record<string, object> {
    return {
      [this.place]: { issuer: this.alias ?? this.url, jwks_uri: `${this.url}/keys` },
      '/keys': { keys: this.#keys.map(({ jwk }) => jwk) },
    };
  }
}
