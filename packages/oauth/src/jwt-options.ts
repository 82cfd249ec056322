/** The options for tokens that are accepted because of their signature. */
import type { MaybePromise } from '@sigil-mcp/core';
import { membersOf, OPTION_RULES, requireOptions, type OptionRule } from '@sigil-mcp/core/internal';
import { oauthError } from './errors';
import { isTrustedAddress } from './issuer-metadata';
import { TIME, TOKEN_OPTIONS, type TokenOptions } from './token-options';

/** The options of `jwt`. */
export interface JwtOptions extends TokenOptions {
  /**
   * The issuers whose tokens are accepted, exactly as in `iss`: the URL of an authorization server, or of several. An object for one whose
   * keys are elsewhere, and for a family of issuers.
   */
  readonly issuer: string | JwtIssuer | readonly (string | JwtIssuer)[];
  /** Accepted signature algorithms; all of RSA, of elliptic curves and of EdDSA if left out. */
  readonly algorithms?: readonly string[];
  /**
   * The `typ` that the header must have, such as `at+jwt`. If left out, `at+jwt`, `JWT` and no `typ` at all are
   * accepted, because many issuers set none.
   */
  readonly typ?: string;
  /** Milliseconds between two fetches of keys that are caused by tokens with unknown keys; 30,000 if left out. */
  readonly keyCooldown?: number;
  /** Milliseconds after which keys are fetched again, while the current ones stay in use; 600,000 if left out. */
  readonly keyMaxAge?: number;
}

/** What each option may be, apart from the issuers, of which more is said. */
export const JWT_OPTIONS: Readonly<Record<keyof JwtOptions, OptionRule | undefined>> = {
  ...TOKEN_OPTIONS,
  issuer: undefined,
  algorithms: undefined,
  typ: OPTION_RULES.text,
  keyCooldown: TIME,
  keyMaxAge: TIME,
};

const ISSUER_MEMBERS: Readonly<Record<keyof JwtIssuer, undefined>> = {
  url: undefined,
  metadata: undefined,
  keys: undefined,
  tenants: undefined,
  tenantClaim: undefined,
  authorizationServer: undefined,
};

/** Signatures that only the issuer can make. With a shared secret, or with a public key used as one, others could make them, too. */
const SIGNATURES = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** The issuers of the options. Throws a `SigilError` if the list is empty, or if one cannot be used. */
export function issuersOf({ issuer }: JwtOptions): readonly JwtIssuer[] {
  const issuers = [issuer].flat().map((each) => (typeof each === 'string' ? { url: each } : each));
  if (issuers.length === 0 || issuers.some((each) => (each as unknown) === undefined)) refuse('issuer', []);
  for (const each of issuers) requireOptions('jwt', { issuer: each }, { issuer: membersOf(ISSUER_MEMBERS) });
  issuers.forEach(checkIssuer);
  return issuers;
}

/** The URLs under which clients find the authorization servers. */
export function authorizationServersOf(issuers: readonly JwtIssuer[]): readonly string[] {
  return issuers.map(serverOf);
}

function serverOf({ url, metadata, authorizationServer }: JwtIssuer): string {
  if (authorizationServer !== undefined || !partsOfFamily(url)) return authorizationServer ?? url;
  return (
    /^(.+)\/\.well-known\/openid-configuration$/.exec(metadata ?? '')?.[1] ?? refuse('authorizationServer', metadata)
  );
}

function checkIssuer(issuer: JwtIssuer): void {
  const { url, metadata, keys, tenants, authorizationServer } = issuer;
  const isFamily = partsOfFamily(url) !== undefined;
  if (!URL.canParse(url) || (!isFamily && /[{}]/.test(url))) refuse('issuer', url);
  if (metadata !== undefined && !isTrustedAddress(metadata)) refuse('metadata', metadata);
  if (typeof keys === 'string' ? !isTrustedAddress(keys) : keys !== undefined && !hasKeys(keys)) refuse('keys', keys);
  if (authorizationServer !== undefined && !URL.canParse(authorizationServer))
    refuse('authorizationServer', authorizationServer);
  const areTenants = typeof tenants === 'function' || (Array.isArray(tenants) && tenants.length > 0);
  if (isFamily ? !areTenants : tenants !== undefined) refuse('tenants', tenants ?? null);
  // The members of a family have no place of their own for it.
  if (isFamily && metadata === undefined && keys === undefined) refuse('metadata', null);
}

function hasKeys({ keys }: { readonly keys?: unknown }): boolean {
  return Array.isArray(keys) && keys.length > 0;
}

function refuse(option: string, value: unknown): never {
  throw oauthError('SIGIL_JWT_OPTION', { option, value: JSON.stringify(value) });
}

/** The algorithms of the options. Throws a `SigilError` for one that is not a signature with a private key of the issuer. */
export function algorithmsOf({ algorithms = SIGNATURES }: JwtOptions): string[] {
  const wrong = algorithms.find((each) => !SIGNATURES.includes(each));
  if (algorithms.length === 0 || wrong !== undefined) refuse('algorithms', wrong ?? algorithms);
  return [...algorithms];
}

// An issuer whose tokens are accepted, as its author names it.

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
