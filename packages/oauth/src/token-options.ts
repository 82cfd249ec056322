/** The options for accepted tokens that do not depend on how tokens are verified. */
import type { CallerInit, Clock, Logger } from '@sigil-mcp/core';
import { OPTION_RULES, wholeNumber, type OptionRule } from '@sigil-mcp/core/internal';
import type { JWTClaimVerificationOptions } from 'jose';

/** The options that `jwt` and `introspection` share. */
export interface TokenOptions {
  /** The URI of the endpoint as clients know it; a token must be issued for it, or for an `audience`. */
  readonly resource: string;
  /**
   * Other audiences of accepted tokens, if the authorization server knows the server by another name: `api://weather`; none if left
   * out.
   */
  readonly audience?: string | readonly string[];
  /** Scopes that a client should ask for first; none are named if left out. */
  readonly scopes?: readonly string[];
  /** All scopes that the server uses; those in `scopes` if left out. */
  readonly scopesSupported?: readonly string[];
  /** Scopes that a scope includes: `{ 'notes:admin': ['notes:read', 'notes:write'] }`; no scope includes another if left out. */
  readonly implies?: Readonly<Record<string, readonly string[]>>;
  /**
   * Reads members of the caller from the claims of a valid token. It replaces what the standard claims (`sub`, `clientClaim`, `scope`,
   * `scp`, `roles`) give; members that it does not return stay. If left out, only the standard claims are read. Errors that it throws are masked.
   */
  readonly caller?: (claims: Readonly<Record<string, unknown>>) => Partial<CallerInit>;
  /**
   * The claim that names the client, or several of which the first that a token has counts; `client_id`, `azp`, `cid`, `appid` if left out.
   * Everything that counts by principal (sessions, tasks, limits) keeps the clients of a user apart by it.
   */
  readonly clientClaim?: string | readonly string[];
  /**
   * Whether the metadata of the (first) issuer is also served at the origin of the endpoint, where clients of 2025-03-26 look for it; false
   * if left out.
   */
  readonly mirrorMetadata?: boolean;
  /** Milliseconds that the clocks of issuer and server may differ; 5,000 if left out. */
  readonly clockTolerance?: number;
  /** Valid tokens that are cached, by their digests, for a limited time and never beyond their expiry; 10,000 if left out. */
  readonly remembered?: number;
  /** The source of time and timers, for tests; the system clock if left out. */
  readonly clock?: Clock;
  /** Receives a warning if an issuer cannot be reached; JSON lines on stderr if left out. */
  readonly logger?: Pick<Logger, 'warn'>;
}

const { texts: LIST_OF_TEXTS } = OPTION_RULES;
const TEXT_OR_TEXTS: OptionRule = {
  wanted: 'a text, or an array of texts',
  fits: (value) => (typeof value === 'string' && value !== '') || LIST_OF_TEXTS.fits(value),
};

/** Milliseconds. */
export const TIME: OptionRule = {
  wanted: 'milliseconds, 0 or more',
  fits: (value) => typeof value === 'number' && value >= 0,
};

/** What each of these options may be. */
export const TOKEN_OPTIONS: Readonly<Record<keyof TokenOptions, OptionRule>> = {
  resource: OPTION_RULES.text,
  audience: TEXT_OR_TEXTS,
  scopes: LIST_OF_TEXTS,
  scopesSupported: LIST_OF_TEXTS,
  implies: OPTION_RULES.object,
  caller: OPTION_RULES.function,
  clientClaim: TEXT_OR_TEXTS,
  mirrorMetadata: OPTION_RULES.flag,
  clockTolerance: TIME,
  remembered: wholeNumber(0),
  clock: OPTION_RULES.object,
  logger: OPTION_RULES.object,
};

/** Milliseconds that clocks may differ. */
export function toleranceOf({ clockTolerance = 5000 }: TokenOptions): number {
  return clockTolerance;
}

/** The spellings of one URI: as configured, as in metadata, and with or without a slash as its only path. */
function spellingsOf(resource: string): string[] {
  if (!URL.canParse(resource)) return [resource];
  const { origin, pathname } = new URL(resource);
  const canonical = pathname === '/' ? [origin, `${origin}/`] : [`${origin}${pathname}`];
  return [...new Set([resource, ...canonical])];
}

/** The rules that the claims of every token must follow. */
export function claimRulesOf(
  options: TokenOptions,
  issuers: readonly string[] | undefined,
): JWTClaimVerificationOptions {
  const { resource, audience = [] } = options;
  return {
    ...(issuers && { issuer: [...issuers] }),
    audience: [...spellingsOf(resource), ...[audience].flat()],
    clockTolerance: toleranceOf(options) / 1000,
    requiredClaims: ['iss', 'aud'],
  };
}
