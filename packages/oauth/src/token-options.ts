/** What an author says of the tokens that are good, however that is found out. */
import type { CallerInit, Clock, Logger } from '@sigil-mcp/core';
import type { JWTClaimVerificationOptions } from 'jose';

/** What `jwt` and `introspection` both take. */
export interface TokenOptions {
  /** The URI of the endpoint as clients know it; a token has to be issued for it, or for an `audience`. */
  readonly resource: string;
  /**
   * What else a token may be issued for, where the authorization server knows the server by another name: `api://weather`; nothing if left
   * out.
   */
  readonly audience?: string | readonly string[];
  /** Scopes that a client should ask for first; none are named if left out. */
  readonly scopes?: readonly string[];
  /** All scopes that mean something here; those in `scopes` if left out. */
  readonly scopesSupported?: readonly string[];
  /** What a scope holds beside itself: `{ 'notes:admin': ['notes:read', 'notes:write'] }`; none holds another if left out. */
  readonly implies?: Readonly<Record<string, readonly string[]>>;
  /**
   * What the claims of a good token say of its caller, in place of what they say by the standards: `sub`, `client_id`, `scope`, `scp`,
   * `roles`; just that if left out. What it does not say stays; what it throws is masked.
   */
  readonly caller?: (claims: Readonly<Record<string, unknown>>) => Partial<CallerInit>;
  /**
   * Whether the metadata of the (first) issuer stand at the origin of the endpoint, too, where clients of 2025-03-26 look for them; false
   * if left out.
   */
  readonly mirrorMetadata?: boolean;
  /** Milliseconds that the clocks of issuer and server may differ; 5,000 if left out. */
  readonly clockTolerance?: number;
  /** Good tokens that are remembered, by their digests, for some time and never longer than they live; 10,000 if left out. */
  readonly remembered?: number;
  /** What tells the time and calls back, for tests; the time of the machine if left out. */
  readonly clock?: Clock;
  /** Hears why an issuer could not be asked; lines of JSON on stderr if left out. */
  readonly logger?: Pick<Logger, 'warn'>;
}

/** Milliseconds that clocks may differ. */
export function toleranceOf({ clockTolerance = 5000 }: TokenOptions): number {
  return clockTolerance;
}

/** A URI as it was typed, as metadata names it, and with or without the slash that is all of its path: they are the same one. */
function spellingsOf(resource: string): string[] {
  if (!URL.canParse(resource)) return [resource];
  const { origin, pathname } = new URL(resource);
  const canonical = pathname === '/' ? [origin, `${origin}/`] : [`${origin}${pathname}`];
  return [...new Set([resource, ...canonical])];
}

/** What the claims of every token have to be. */
export function claimRulesOf(options: TokenOptions, issuers: readonly string[]): JWTClaimVerificationOptions {
  const { resource, audience = [] } = options;
  return {
    issuer: [...issuers],
    audience: [...spellingsOf(resource), ...[audience].flat()],
    clockTolerance: toleranceOf(options) / 1000,
    requiredClaims: ['iss', 'aud'],
  };
}
