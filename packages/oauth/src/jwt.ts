/** Tokens that are signed by their issuer, and verified here with its keys. */
import { Caller, JsonLinesLogger, type Auth, type MaybePromise } from '@sigil-mcp/core';
import { isPromise } from '@sigil-mcp/core/adapter';
import { errors, type JWTClaimVerificationOptions } from 'jose';
import { callerOf, checkClaims } from './claims';
import { IssuerKeys } from './issuer-keys';
import { algorithmsOf, issuersOf, type JwtOptions } from './jwt-options';
import { badToken } from './refusals';
import { isSigned, type SignatureKey } from './signatures';
import { readSignedToken, type SignedToken } from './signed-token';
import { digestOf, VerifiedTokens } from './verified-tokens';

/**
 * Makes the `auth` of an endpoint whose tokens are JSON Web Tokens. The keys of each issuer are found by its metadata (RFC 8414, OpenID
 * Connect Discovery) when the first token comes; nothing is fetched before.
 * @throws SigilError for issuers and algorithms that are none
 * @example
 * const auth = jwt({ issuer: 'https://id.example.com', resource: 'https://mcp.example.com/mcp' });
 * await server.listen(new HttpTransport({ auth }));
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function jwt(options: JwtOptions): Auth {
  const { resource, scopes = [], scopesSupported = scopes, implies = {} } = options;
  const verifier = new JwtVerifier(options);
  const verify: Auth['verify'] = (token) => verifier.verify(token);
  return { resource, authorizationServers: issuersOf(options), scopes, scopesSupported, implies, verify };
}

/** Milliseconds after which a token is verified again, though it lives on: its key may have been withdrawn. */
const LONGEST = 5 * 60_000;

/** Kinds of tokens that open something; those of other kinds say so in their header. */
const ACCESS_TOKENS = ['jwt', 'at+jwt'];

class JwtVerifier {
  readonly #issuers: ReadonlyMap<string, IssuerKeys>;
  readonly #known: VerifiedTokens;
  readonly #algorithms: readonly string[];
  readonly #rules: JWTClaimVerificationOptions;
  readonly #tolerance: number;

  constructor(private readonly options: JwtOptions) {
    const { keyCooldown = 30_000, keyMaxAge = 600_000, clockTolerance = 5000, audience = [] } = options;
    const { logger = new JsonLinesLogger() } = options;
    const failed = (issuer: string) => (error: unknown) =>
      logger.warn({ issuer, err: error }, 'The keys of an issuer could not be fetched');
    const times = { cooldown: keyCooldown, maxAge: keyMaxAge };
    this.#issuers = new Map(issuersOf(options).map((each) => [each, new IssuerKeys(each, times, failed(each))]));
    this.#known = new VerifiedTokens(options.remembered ?? 10_000);
    this.#tolerance = clockTolerance;
    this.#algorithms = algorithmsOf(options);
    this.#rules = {
      issuer: [...this.#issuers.keys()],
      audience: [options.resource, ...[audience].flat()],
      clockTolerance: clockTolerance / 1000,
      requiredClaims: ['iss', 'aud', 'exp'],
    };
  }

  /** Whose token it is. Throws, or rejects with, a `Denial`: 401 for one that is not good, 503 where that cannot be known now. */
  verify(token: string): MaybePromise<Caller> {
    const digest = digestOf(token);
    return this.#known.find(digest) ?? this.#verifyNew(token, digest);
  }

  /** At once where the key is known: whatever waits costs more than the rest of it. */
  #verifyNew(token: string, digest: string): MaybePromise<Caller> {
    try {
      const read = readSignedToken(token, this.#algorithms, this.#rules);
      this.#checkKind(read.typ);
      checkClaims(read.claims);
      const key = this.#issuers.get(read.claims.iss ?? '')?.find(read);
      if (!key) throw badToken(OF_OTHERS);
      return isPromise(key)
        ? key.then((found) => this.#accept(read, found, digest)).catch(refuse)
        : this.#accept(read, key, digest);
    } catch (error) {
      return refuse(error);
    }
  }

  #accept({ text, signature, claims }: SignedToken, key: SignatureKey, digest: string): Caller {
    if (!isSigned(text, signature, key)) throw badToken('has a signature that is wrong');
    const standard = callerOf(claims);
    const ends = (standard.expiresAt ?? 0) + this.#tolerance;
    const caller = new Caller({ ...standard, expiresAt: ends, ...this.options.caller?.(claims) });
    this.#known.add(digest, caller, Math.min(ends, caller.expiresAt ?? ends, Date.now() + LONGEST));
    return caller;
  }

  #checkKind(typ = 'JWT'): void {
    const kind = typ.toLowerCase().replace(/^application\//, '');
    const isRight =
      this.options.typ === undefined ? ACCESS_TOKENS.includes(kind) : kind === this.options.typ.toLowerCase();
    if (!isRight) throw badToken('is of another kind than access tokens are');
  }
}

const OF_OTHERS = 'is of an issuer whose tokens are not good here';

/** Says it in the words of the endpoint. */
function refuse(error: unknown): never {
  throw error instanceof errors.JOSEError ? badToken(faultOf(error)) : error;
}

/** What is wrong with a token, without a word of what is in it. */
function faultOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'iss') return OF_OTHERS;
    if (error.claim === 'aud') return 'was not issued for this server';
    return error.claim === 'nbf' ? 'is not good yet' : `has a claim that is not good: ${error.claim}`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) return 'is signed with a key that its issuer does not have';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'is signed in a way that is not accepted';
  return 'cannot be verified';
}
