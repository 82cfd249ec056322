/** An issuer whose tokens are accepted, as its author names it. */
import type { MaybePromise } from '@sigil-mcp/core';

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
/** The texts around the tenant in the URLs of a family; undefined for a single issuer. */
export function partsOfFamily(url: string): readonly [before: string, after: string] | undefined {
  const [, before, after] = PLACEHOLDER.exec(url) ?? [];
  return before === undefined || after === undefined ? undefined : [before, after];
}
