/** Verifies signed tokens with the keys of their issuers. */
import { errors, UnsecuredJWT, type JWTClaimVerificationOptions, type JWTPayload } from 'jose';
import { JsonLinesLogger, systemClock, type Auth, type Caller, type Clock, type MaybePromise } from '@sigil-mcp/core';
import { andThen, isPromise, requireOptions } from '@sigil-mcp/core/internal';
import { badToken, CallerReader, checkClaims, endOf, OF_OTHERS, refuse } from './claims';
import { IssuerKeys } from './issuer-keys';
import {
  algorithmsOf,
  authorizationServersOf,
  issuersOf,
  JWT_OPTIONS,
  partsOfFamily,
  type JwtIssuer,
  type JwtOptions,
} from './jwt-options';
import { isSigned, TokenHeaders, type SignatureKey, type TokenHeader } from './key-set';
import { mirrorOf } from './mirrored-metadata';
import { digestOf, RememberedTokens } from './remembered-tokens';
import { claimRulesOf } from './token-options';

const TENANT = /^[\w.-]+$/;

/** Finds the issuer of a token. */
class TrustedIssuers {
  readonly #single = new Map<string, TrustedIssuer>();
  readonly #families: TrustedIssuer[] = [];

  constructor(issuers: readonly JwtIssuer[], keysOf: (issuer: JwtIssuer) => IssuerKeys) {
    for (const issuer of issuers) {
      const parts = partsOfFamily(issuer.url);
      const trusted = new TrustedIssuer(issuer, parts, keysOf(issuer));
      if (parts) this.#families.push(trusted);
      else this.#single.set(issuer.url, trusted);
    }
  }

  /** The values of `iss` that are accepted; undefined if there is a family. */
  get all(): readonly string[] | undefined {
    return this.#families.length > 0 ? undefined : [...this.#single.keys()];
  }

  /** The issuer that claims say; undefined for one that is not accepted. */
  find(claims: JWTPayload): TrustedIssuer | undefined {
    return this.#single.get(claims.iss ?? '') ?? this.#families.find((family) => family.has(claims));
  }
}

/** An issuer of tokens, or a family: the tenants of one service, which share its keys. */
class TrustedIssuer {
  /** @param parts the text before and after the tenant in the URL of a family; undefined for a single issuer */
  constructor(
    private readonly options: JwtIssuer,
    private readonly parts: readonly [before: string, after: string] | undefined,
    readonly keys: IssuerKeys,
  ) {}

  /** Whether a token says twice, and in the same words, that it is of a tenant which may be accepted. */
  has(claims: JWTPayload): boolean {
    const { tenants = [], tenantClaim = 'tid' } = this.options;
    const tenant = this.#tenantOf(claims);
    if (tenant === undefined || claims[tenantClaim] !== tenant) return false;
    return typeof tenants === 'function' || tenants.includes(tenant);
  }

  /** Whether a token that it has signed is accepted. */
  accepts(claims: JWTPayload): MaybePromise<boolean> {
    const { tenants } = this.options;
    return this.parts && typeof tenants === 'function' ? tenants(this.#tenantOf(claims) ?? '', claims) : true;
  }

  #tenantOf({ iss }: JWTPayload): string | undefined {
    if (!this.parts) return undefined;
    const [before, after] = this.parts;
    // A claim may be of any type: nobody has signed it yet.
    if (typeof iss !== 'string' || !iss.startsWith(before) || !iss.endsWith(after)) return undefined;
    const tenant = iss.slice(before.length, iss.length - after.length);
    return TENANT.test(tenant) && iss.length === before.length + tenant.length + after.length ? tenant : undefined;
  }
}

/**
 * Makes the `auth` of an endpoint whose tokens are JSON Web Tokens. The keys of each issuer are found by its metadata (RFC 8414, OpenID
 * Connect Discovery) when the first token arrives; nothing is fetched before that.
 * @throws DefinitionError for options that do not exist or are of the wrong kind, SigilError for issuers that cannot be used, and for unsupported algorithms
 * @example
 * const auth = jwt({ issuer: 'https://id.example.com', resource: 'https://mcp.example.com/mcp' });
 * await server.listen(new HttpTransport({ auth }));
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function jwt(options: JwtOptions): Auth {
  requireOptions('jwt', options, JWT_OPTIONS);
  const { resource, scopes = [], scopesSupported = scopes, implies = {} } = options;
  const verifier = new JwtVerifier(options);
  const verify: Auth['verify'] = (token) => verifier.verify(token);
  const issuers = issuersOf(options);
  const authorizationServers = authorizationServersOf(issuers);
  const [first = { url: '' }] = issuers;
  return { resource, authorizationServers, scopes, scopesSupported, implies, verify, ...mirrorOf(first, options) };
}

/** Milliseconds after which a token is verified again before it expires: its key may have been withdrawn. */
const LONGEST = 5 * 60_000;

/** The `typ` values of access tokens; tokens of other kinds have another `typ` in their header. */
const ACCESS_TOKENS = ['jwt', 'at+jwt'];

class JwtVerifier {
  readonly #issuers: TrustedIssuers;
  readonly #known: RememberedTokens<Caller>;
  readonly #clock: Clock;
  readonly #headers: TokenHeaders;
  readonly #rules: JWTClaimVerificationOptions;
  readonly #callers: CallerReader;

  constructor(private readonly options: JwtOptions) {
    const { keyCooldown = 30_000, keyMaxAge = 600_000, logger = new JsonLinesLogger(), clock = systemClock } = options;
    this.#clock = clock;
    this.#callers = new CallerReader(options);
    const failed = (issuer: string) => (error: unknown) =>
      logger.warn({ issuer, err: error }, 'The keys of an issuer could not be fetched');
    const times = { cooldown: keyCooldown, maxAge: keyMaxAge, clock };
    this.#issuers = new TrustedIssuers(issuersOf(options), (each) => new IssuerKeys(each, times, failed(each.url)));
    this.#known = new RememberedTokens(options.remembered ?? 10_000, clock);
    this.#headers = new TokenHeaders(algorithmsOf(options));
    const rules = claimRulesOf(options, this.#issuers.all);
    this.#rules = { ...rules, requiredClaims: ['iss', 'aud', 'exp'] };
  }

  /** The caller of a token. Throws, or rejects with, a `Denial`: 401 for a token that is not valid, 503 if that cannot be checked now. */
  verify(token: string): MaybePromise<Caller> {
    const digest = digestOf(token);
    return this.#known.find(digest) ?? this.#verifyNew(token, digest);
  }

  /** Verifies synchronously if the key is known: a promise would cost more than the rest of the work. */
  #verifyNew(token: string, digest: string): MaybePromise<Caller> {
    try {
      const currentDate = new Date(this.#clock.now());
      const read = readSignedToken(token, this.#headers, { ...this.#rules, currentDate });
      this.#checkKind(read.header.typ);
      checkClaims(read.claims);
      const { iss: issuer = '' } = read.claims;
      const trusted = this.#issuers.find(read.claims);
      if (!trusted) throw badToken(OF_OTHERS);
      const isSignedWith = (key: SignatureKey): boolean => isSigned(read.text, read.signature, key);
      const checked = trusted.keys.check({ ...read.header, issuer, digest, isSignedWith });
      const accepted = andThen(checked, () =>
        andThen(trusted.accepts(read.claims), (isAccepted) => {
          if (!isAccepted) throw badToken(OF_OTHERS);
          return this.#accept(read.claims, digest);
        }),
      );
      return isPromise(accepted) ? accepted.catch(refuse) : accepted;
    } catch (error) {
      return refuse(error);
    }
  }

  #accept(claims: JWTPayload, digest: string): Caller {
    const caller = this.#callers.read(claims);
    const ends = Math.min(endOf(claims, this.options) ?? 0, caller.expiresAt ?? Infinity);
    this.#known.add(digest, caller, Math.min(ends, this.#clock.now() + LONGEST));
    return caller;
  }

  #checkKind(typ = 'JWT'): void {
    const kind = typ.toLowerCase().replace(/^application\//, '');
    const isRight =
      this.options.typ === undefined ? ACCESS_TOKENS.includes(kind) : kind === this.options.typ.toLowerCase();
    if (!isRight) throw badToken('is not an access token');
  }
}

// Reads a token in the compact form of RFC 7515 and checks its claims. Whether they are true is for its signature to show.

/** A token whose claims follow the rules; they count only if its signature is valid. */
interface SignedToken {
  readonly header: TokenHeader;
  readonly claims: JWTPayload;
  /** The text that was signed. */
  readonly text: string;
  readonly signature: string;
}

/** With this header jose accepts claims whose signature is checked elsewhere. */
const UNSECURED = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');

/**
 * Splits a token, and checks its claims against rules.
 * @throws Denial with 401, or JOSEError
 */
function readSignedToken(token: string, headers: TokenHeaders, rules: JWTClaimVerificationOptions): SignedToken {
  const [head = '', payload = '', signature, ...more] = token.split('.');
  if (signature === undefined || more.length > 0) throw new errors.JWSInvalid();
  const header = headers.read(head, token);
  const claims = UnsecuredJWT.decode(`${UNSECURED}.${payload}.`, rules).payload;
  return { header, claims, text: `${head}.${payload}`, signature };
}
