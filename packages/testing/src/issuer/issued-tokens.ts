/** The tokens of an issuer, for introspection (RFC 7662). */
import type { Claims } from './issued-token-options';

/** The credentials of a client that may ask. */
export interface AskingClient {
  readonly id: string;
  readonly secret: string;
}

/** The tokens of one issuer. */
export class IssuedTokens {
  readonly #claims = new Map<string, Claims>();

  /** @param client that may ask; any client if left out */
  constructor(private readonly client: AskingClient | undefined) {}

  add(token: string, claims: Claims): void {
    this.#claims.set(token, claims);
  }

  remove(token: string): void {
    this.#claims.delete(token);
  }

  /** The answer about a token, by the form that was sent; undefined for a client that may not ask. */
  answer(form: URLSearchParams, authorization: string | undefined): object | undefined {
    if (!this.#mayAsk(form, authorization)) return undefined;
    const claims = this.#claims.get(form.get('token') ?? '');
    const isOver = typeof claims?.['exp'] === 'number' && claims['exp'] * 1000 <= Date.now();
    return claims && !isOver ? { active: true, token_type: 'Bearer', ...claims } : { active: false };
  }

  #mayAsk(form: URLSearchParams, authorization = ''): boolean {
    if (!this.client) return true;
    const { id, secret } = this.client;
    // Each of the two is encoded as in a form before they are joined (RFC 6749, section 2.3.1).
    const basic = `${inForm(id)}:${inForm(secret)}`;
    const isBasic = authorization === `Basic ${Buffer.from(basic).toString('base64')}`;
    return isBasic || (form.get('client_id') === id && form.get('client_secret') === secret);
  }
}

function inForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
