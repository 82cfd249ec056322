/** The issuers whose tokens are accepted: single ones, and families, whose members are the tenants of one service. */
import type { MaybePromise } from '@sigil-mcp/core';
import type { JWTPayload } from 'jose';
import type { IssuerKeys } from './issuer-keys';
import { partsOfFamily, type JwtIssuer } from './jwt-issuer';

const TENANT = /^[\w.-]+$/;

/** An issuer of a token. */
export interface TrustedIssuer {
  readonly keys: IssuerKeys;
  /** Whether a token that it has signed is accepted. */
  accepts(claims: JWTPayload): MaybePromise<boolean>;
}

/** Finds the issuer of a token. */
export class TrustedIssuers {
  readonly #single = new Map<string, TrustedIssuer>();
  readonly #families: Family[] = [];

  constructor(issuers: readonly JwtIssuer[], keysOf: (issuer: JwtIssuer) => IssuerKeys) {
    for (const issuer of issuers) {
      const parts = partsOfFamily(issuer.url);
      const keys = keysOf(issuer);
      if (parts) this.#families.push(new Family(issuer, parts, keys));
      else this.#single.set(issuer.url, { keys, accepts: () => true });
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

/** The tenants of one service, which share its keys. */
class Family implements TrustedIssuer {
  constructor(
    private readonly options: JwtIssuer,
    private readonly parts: readonly [before: string, after: string],
    readonly keys: IssuerKeys,
  ) {}

  /** Whether a token says twice, and in the same words, that it is of a tenant which may be accepted. */
  has(claims: JWTPayload): boolean {
    const { tenants = [], tenantClaim = 'tid' } = this.options;
    const tenant = this.#tenantOf(claims);
    if (tenant === undefined || claims[tenantClaim] !== tenant) return false;
    return typeof tenants === 'function' || tenants.includes(tenant);
  }

  accepts(claims: JWTPayload): MaybePromise<boolean> {
    const { tenants } = this.options;
    return typeof tenants === 'function' ? tenants(this.#tenantOf(claims) ?? '', claims) : true;
  }

  #tenantOf({ iss }: JWTPayload): string | undefined {
    const [before, after] = this.parts;
    // A claim may be of any type: nobody has signed it yet.
    if (typeof iss !== 'string' || !iss.startsWith(before) || !iss.endsWith(after)) return undefined;
    const tenant = iss.slice(before.length, iss.length - after.length);
    return TENANT.test(tenant) && iss.length === before.length + tenant.length + after.length ? tenant : undefined;
  }
}
