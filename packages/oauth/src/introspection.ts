/**
 * Opaque tokens: their issuer is asked about each.
 * @see https://www.rfc-editor.org/rfc/rfc7662
 */
import { Denial, systemClock, type Auth, type Caller, type Clock, type MaybePromise } from '@sigil-mcp/core';
import { outsideRequests } from '@sigil-mcp/core/internal';
import { UnsecuredJWT, type JWTClaimVerificationOptions, type JWTPayload } from 'jose';
import {
  checkIntrospection,
  IntrospectionIssuer,
  Unanswerable,
  type IntrospectionOptions,
} from './introspection-issuer';
import { badToken, CallerReader, checkClaims, endOf, refuse } from './claims';
import { mirrorOf } from './mirrored-metadata';
import { digestOf, RememberedTokens } from './remembered-tokens';
import { claimRulesOf } from './token-options';

/**
 * Makes the `auth` of an endpoint whose tokens are looked up at their issuer. Answers are cached for `maxAge`; requests with the
 * same token share one question.
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
  const verify: Auth['verify'] = (token, { address = '' }) => verifier.verify(token, address);
  return {
    resource,
    authorizationServers: [issuer],
    scopes,
    scopesSupported,
    implies,
    verify,
    ...mirrorOf({ url: issuer }, options),
  };
}

/** Milliseconds for which a token that is not valid, or that the issuer gave no answer about, is not asked about again. */
const REFUSED_FOR = 5000;
/** Refused tokens that are cached: any client can make up more. */
const MOST_REFUSED = 10_000;

class IntrospectionVerifier {
  readonly #known: RememberedTokens<Caller>;
  readonly #refused: RememberedTokens<Denial>;
  readonly #rules: JWTClaimVerificationOptions;
  readonly #asking = new Map<string, Promise<Caller>>();
  readonly #outside = outsideRequests();
  readonly #issuer: IntrospectionIssuer;
  readonly #callers: CallerReader;
  readonly #clock: Clock;

  constructor(private readonly options: IntrospectionOptions) {
    const { clock = systemClock } = options;
    this.#clock = clock;
    this.#callers = new CallerReader(options);
    this.#known = new RememberedTokens(options.remembered ?? 10_000, clock);
    this.#refused = new RememberedTokens(MOST_REFUSED, clock);
    this.#rules = claimRulesOf(options, [options.issuer]);
    this.#issuer = new IntrospectionIssuer(options);
  }

  /** The caller of a token. Rejects with a `Denial`: 401 for a token that is not valid, 503 if that cannot be checked now. */
  verify(token: string, address: string): MaybePromise<Caller> {
    const digest = digestOf(token);
    const known = this.#known.find(digest) ?? this.#asking.get(digest);
    if (known) return known;
    const refused = this.#refused.find(digest);
    if (refused !== undefined) throw refused;
    // Other requests with the same token wait for the same answer.
    const asked = this.#outside(() => this.#verifyNew(token, { digest, address })).finally(() =>
      this.#asking.delete(digest),
    );
    this.#asking.set(digest, asked);
    return asked;
  }

  async #verifyNew(token: string, { digest, address }: { digest: string; address: string }): Promise<Caller> {
    const answer = await this.#issuer.ask(token, address).catch((error: unknown) => {
      // The fault may be in this token: it is not asked about again and again.
      if (error instanceof Unanswerable) this.#refuse(digest, error.denial);
      throw error instanceof Unanswerable ? error.denial : error;
    });
    try {
      const claims = this.#claimsOf(answer);
      const caller = this.#callers.read(claims);
      const ends = Math.min(endOf(claims, this.options) ?? Infinity, caller.expiresAt ?? Infinity);
      this.#known.add(digest, caller, Math.min(ends, this.#clock.now() + (this.options.maxAge ?? 30_000)));
      return caller;
    } catch (error) {
      if (error instanceof Denial) this.#refuse(digest, error);
      throw error;
    }
  }

  #refuse(digest: string, error: Denial): void {
    this.#refused.add(digest, error, this.#clock.now() + REFUSED_FOR);
  }

  #claimsOf(answer: Readonly<Record<string, unknown>>): JWTPayload {
    const { active, token_type: type, ...said } = answer;
    if (active !== true) throw badToken('is not valid, or no longer valid');
    if (typeof type === 'string' && /^dpop$/i.test(type))
      throw badToken('is bound to a key, and was sent without a proof of it');
    // Tokens of other types, such as refresh tokens and `N_A` of RFC 8693, give their bearer no access.
    if (type !== undefined && !(typeof type === 'string' && /^bearer$/i.test(type)))
      throw badToken('is not an access token');
    try {
      // In the form that jose checks against the rules. An issuer that does not name itself is the one that was asked.
      const claims = new UnsecuredJWT({ iss: this.options.issuer, ...said }).encode();
      const currentDate = new Date(this.#clock.now());
      const { payload } = UnsecuredJWT.decode(claims, { ...this.#rules, currentDate });
      checkClaims(payload);
      return payload;
    } catch (error) {
      return refuse(error);
    }
  }
}
