/**
 * Tokens that say nothing by themselves: their issuer is asked about each.
 * @see https://www.rfc-editor.org/rfc/rfc7662
 */
import { JsonLinesLogger, type Auth, type Caller, type MaybePromise } from '@sigil-mcp/core';
import { isObject, sigilError } from '@sigil-mcp/core/adapter';
import { UnsecuredJWT, type JWTClaimVerificationOptions, type JWTPayload } from 'jose';
import { checkClaims, endOf, makeCaller } from './claims';
import { NoDocument, fetchJson, type Question } from './fetch-json';
import { checkIntrospection, type IntrospectionOptions } from './introspection-options';
import { findUrl } from './issuer-metadata';
import { mirrorOf } from './mirrored-metadata';
import { badToken, outOfReach, refuse, RETRY_AFTER } from './refusals';
import { claimRulesOf } from './token-options';
import { digestOf, VerifiedTokens } from './verified-tokens';

/**
 * Makes the `auth` of an endpoint whose tokens are looked up at their issuer. Its answers are remembered for `maxAge`; requests with the
 * same token wait for the same answer.
 * @throws SigilError for options that cannot be used
 * @example
 * const auth = introspection({
 *   issuer: 'https://id.example.com',
 *   clientId: 'notes',
 *   clientSecret: process.env.CLIENT_SECRET ?? '',
 *   resource: 'https://mcp.example.com/mcp',
 * });
 */
export function introspection(options: IntrospectionOptions): Auth {
  checkIntrospection(options);
  const { resource, issuer, scopes = [], scopesSupported = scopes, implies = {} } = options;
  const verifier = new IntrospectionVerifier(options);
  const verify: Auth['verify'] = (token) => verifier.verify(token);
  return {
    resource,
    authorizationServers: [issuer],
    scopes,
    scopesSupported,
    implies,
    verify,
    ...mirrorOf(issuer, options),
  };
}

/** Questions that wait for an answer at one time: anybody can make up tokens. */
const MOST_QUESTIONS = 100;

/** What an issuer answers to a token that it cannot even look up: anybody can make up such a one. */
const OF_THE_TOKEN = [400, 413, 414, 422, 431];

class IntrospectionVerifier {
  readonly #known: VerifiedTokens;
  readonly #rules: JWTClaimVerificationOptions;
  readonly #asking = new Map<string, Promise<Caller>>();
  readonly #logger: Required<IntrospectionOptions>['logger'];
  #url: string | undefined;
  #failedAt = -Infinity;
  #loggedAt = -Infinity;

  constructor(private readonly options: IntrospectionOptions) {
    this.#known = new VerifiedTokens(options.remembered ?? 10_000);
    this.#rules = claimRulesOf(options, [options.issuer]);
    this.#logger = options.logger ?? new JsonLinesLogger();
  }

  /** Whose token it is. Rejects with a `Denial`: 401 for one that is not good, 503 where that cannot be known now. */
  verify(token: string): MaybePromise<Caller> {
    const digest = digestOf(token);
    return this.#known.find(digest) ?? this.#asking.get(digest) ?? this.#start(token, digest);
  }

  #start(token: string, digest: string): Promise<Caller> {
    const hasFailed = Date.now() - this.#failedAt < RETRY_AFTER * 1000;
    if (hasFailed || this.#asking.size >= MOST_QUESTIONS) return Promise.reject(outOfReach('The issuer is'));
    const asked = this.#verifyNew(token, digest).finally(() => this.#asking.delete(digest));
    this.#asking.set(digest, asked);
    return asked;
  }

  async #verifyNew(token: string, digest: string): Promise<Caller> {
    const claims = this.#claimsOf(await this.#ask(token));
    const caller = makeCaller(claims, this.options);
    const ends = Math.min(endOf(claims, this.options) ?? Infinity, caller.expiresAt ?? Infinity);
    this.#known.add(digest, caller, Math.min(ends, Date.now() + (this.options.maxAge ?? 30_000)));
    return caller;
  }

  /** What the issuer says; only the issuer is told the token. */
  async #ask(token: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      const url = this.options.url ?? (this.#url ??= await findUrl(this.options.issuer, 'introspection_endpoint'));
      const answer = await fetchJson(url, this.#questionOf(token));
      if (isObject(answer) && typeof answer['active'] === 'boolean') return answer;
      throw sigilError('SIGIL_INTROSPECTION_ANSWER', { url });
    } catch (error) {
      this.#noteFailure(error);
      throw outOfReach('The issuer is');
    }
  }

  /** After a failure nobody is asked about for a while; one that is about the token alone keeps nobody else out. */
  #noteFailure(error: unknown): void {
    const hasFailed = Date.now() - this.#loggedAt < RETRY_AFTER * 1000;
    const isOfToken = error instanceof NoDocument && OF_THE_TOKEN.includes(error.status);
    if (!hasFailed || !isOfToken) {
      this.#loggedAt = Date.now();
      this.#logger.warn({ issuer: this.options.issuer, err: error }, 'An issuer could not be asked about a token');
    }
    if (isOfToken) return;
    // The issuer may have moved it.
    this.#url = undefined;
    this.#failedAt = Date.now();
  }

  #questionOf(token: string): Question {
    const { clientId, clientSecret, authentication = 'basic' } = this.options;
    const form = new URLSearchParams({ token, token_type_hint: 'access_token' });
    if (authentication === 'basic') return { form, authorization: basicOf(clientId, clientSecret) };
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
    return { form };
  }

  #claimsOf(answer: Readonly<Record<string, unknown>>): JWTPayload {
    const { active, token_type: type, ...said } = answer;
    if (active !== true) throw badToken('is not good, or not any more');
    if (typeof type === 'string' && /^dpop$/i.test(type))
      throw badToken('is bound to a key, and was sent without a proof of it');
    try {
      // In the form that jose holds against the rules. An issuer that does not name itself is the one that was asked.
      const claims = new UnsecuredJWT({ iss: this.options.issuer, ...said }).encode();
      const { payload } = UnsecuredJWT.decode(claims, this.#rules);
      checkClaims(payload);
      return payload;
    } catch (error) {
      return refuse(error);
    }
  }
}

/** Each of the two is written as in a form before they are joined (RFC 6749, section 2.3.1). */
function basicOf(id: string, secret: string): string {
  const [user, password] = [id, secret].map((text) => new URLSearchParams([['', text]]).toString().slice(1));
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
