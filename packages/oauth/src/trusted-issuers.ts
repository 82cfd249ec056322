/** The issuers whose tokens are accepted: single ones, and families, whose members are the tenants of one service. */
import type { MaybePromise } from '@sigil-mcp/core';
import type { JWTPayload } from 'jose';
import type { IssuerKeys } from './issuer-keys';

/** An issuer that is more than a URL: its keys are elsewhere, or it is a family. */
export interface JwtIssuer {
  /**
   * Exactly as in `iss`. One part of the path may be a name in braces, which stands for the tenant of a family:
   * `https://login.microsoftonline.com/{tenantid}/v2.0`.
   */
  readonly url: string;
  /**
   * The address of its metadata, whose `issuer` must be `url`; found at the well-known places of `url` if left out. `https`, or a host of a
   * private network, such as another container.
   */
  readonly metadata?: string;
  /**
   * Its keys: the address of a JSON Web Key Set, or the set itself, which is never fetched; those that its metadata names if left out.
   */
  readonly keys?: string | { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  /**
   * The tenants of a family whose tokens are accepted, or a function that is asked after the signature of a token was checked. Required for
   * a family, and for nothing else.
   */
  readonly tenants?:
    readonly string[] | ((tenant: string, claims: Readonly<Record<string, unknown>>) => MaybePromise<boolean>);
  /** The claim that repeats the tenant of a family, and is compared with `iss`; `tid` if left out. */
  readonly tenantClaim?: string;
  /**
   * The URL under which clients find the authorization server; `url` if left out, and for a family the address of its metadata without
   * the well-known part.
   */
  readonly authorizationServer?: string;
}

/** A name in braces, as a whole part of a path. */
const PLACEHOLDER = /^([^{}]*\/)\{[A-Za-z][\w-]*\}((?:\/[^{}]*)?)$/;
const TENANT = /^[\w.-]+$/;

/** The texts around the tenant in the URLs of a family; undefined for a single issuer. */
export function partsOfFamily(url: string): readonly [before: string, after: string] | undefined {
  const [, before, after] = PLACEHOLDER.exec(url) ?? [];
  return before === undefined || after === undefined ? undefined : [before, after];
}

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

  #tenantOf({ iss = '' }: JWTPayload): string | undefined {
    const [before, after] = this.parts;
    if (!iss.startsWith(before) || !iss.endsWith(after)) return undefined;
    const tenant = iss.slice(before.length, iss.length - after.length);
    return TENANT.test(tenant) && iss.length === before.length + tenant.length + after.length ? tenant : undefined;
  }
}
