/** The caller of a request, as far as a transport has proven its identity. */
import { hash } from 'node:crypto';
import { OPTION_RULES, oneOf, orNull, requireOptions, withOthers, type OptionRule } from '@sigil-mcp/base';

/** Levels that are copied by hand. */
const USUAL_DEPTH = 32;

/**
 * The kind of a caller. `user`: a user who signed in. `client`: a program that calls in its own name. `anonymous`: no caller was
 * authenticated. `local`: the user who started the process, over stdio.
 */
export type CallerKind = 'user' | 'client' | 'anonymous' | 'local';

const KINDS = ['user', 'client', 'anonymous', 'local'] as const satisfies readonly CallerKind[];

/** The members of a caller. */
export interface CallerInit {
  /** Stable identifier: sessions and limits belong to it, together with the issuer and the client. */
  readonly id: string;
  /** `user` if left out. */
  readonly kind?: CallerKind;
  /** The OAuth client that the request came through; unknown if left out. */
  readonly clientId?: string | undefined;
  /** The issuer of the identity, such as the URL of an authorization server; none if left out. */
  readonly issuer?: string | undefined;
  /** Granted scopes; if left out none, or all for the kind `local`. */
  readonly scopes?: readonly string[];
  /** Roles of the caller; if left out none, or all for the kind `local`. */
  readonly roles?: readonly string[];
  /** Further facts as JSON, such as the claims of a token; none if left out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** When the proof of identity expires, in milliseconds since 1970; never if left out. */
  readonly expiresAt?: number | undefined;
}

const { anyText: TEXT, texts: TEXTS, object: OBJECT } = OPTION_RULES;
const MEMBERS: Readonly<Record<keyof CallerInit, OptionRule>> = {
  id: TEXT,
  kind: oneOf(...KINDS),
  clientId: orNull(TEXT),
  issuer: orNull(TEXT),
  scopes: orNull(TEXTS),
  roles: orNull(TEXTS),
  claims: orNull(OBJECT),
  expiresAt: { wanted: 'a number of milliseconds', fits: (value) => typeof value === 'number' },
};

/** Of rows of a database, instances and claims. With `scope` in place of `scopes`, a local caller would have every right. */
export const CALLER_MEMBERS = withOthers(MEMBERS, { needs: 'id' });

/**
 * The caller of a request. It is available as `context.caller`, and as the parameter of any handler method that has a parameter of this
 * class, in any position. It is deeply frozen, and does not hold the token that proved it: the token was meant for this server alone.
 * @example
 * ```@Tool('Lists your notes') list(caller: Caller) { return this.notes.of(caller.id); }```
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export class Caller {
  readonly id: string;
  readonly kind: CallerKind;
  readonly clientId: string | undefined;
  readonly issuer: string | undefined;
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
  readonly expiresAt: number | undefined;
  readonly #isGrantedAll: boolean;
  readonly #hasAllRoles: boolean;
  #principal: string | undefined;
  #rights: string | undefined;

  /**
   * Copies its arguments, and freezes the copy. Further members, such as those of a row of a database, are ignored, and null counts as
   * none. Throws a `DefinitionError` for members that are misspelt or of the wrong kind, and a `DOMException` for claims that cannot be
   * copied, such as functions.
   */
  constructor(init: CallerInit) {
    requireOptions('Caller', init, CALLER_MEMBERS);
    const { id, kind = 'user', clientId, issuer, scopes, roles, claims, expiresAt } = init;
    this.#isGrantedAll = kind === 'local' && scopes === undefined;
    this.#hasAllRoles = kind === 'local' && roles === undefined;
    this.id = id;
    this.kind = kind;
    this.clientId = clientId ?? undefined;
    this.issuer = issuer ?? undefined;
    this.scopes = Object.freeze([...(scopes ?? [])]);
    this.roles = Object.freeze([...(roles ?? [])]);
    this.claims = frozenCopy(claims ?? {});
    // NaN is not a valid time: such a caller has expired.
    this.expiresAt = Number.isNaN(expiresAt) ? 0 : expiresAt;
    Object.freeze(this);
  }

  /** Whether the caller's identity was proven: a user or a client. */
  get isAuthenticated(): boolean {
    return this.kind === 'user' || this.kind === 'client';
  }

  /** Whether the caller has all of these scopes. A `local` caller has every scope, unless its scopes were given. */
  hasScopes(...scopes: readonly string[]): boolean {
    return this.#isGrantedAll || scopes.every((scope) => this.scopes.includes(scope));
  }

  /** Whether the caller has one of these roles. A `local` caller has every role, unless its roles were given. */
  hasRole(...roles: readonly string[]): boolean {
    return this.#hasAllRoles || roles.some((role) => this.roles.includes(role));
  }

  /** Whether it has every scope there is. */
  get hasEveryScope(): boolean {
    return this.#isGrantedAll;
  }

  /** Whether it has every role there is. */
  get hasEveryRole(): boolean {
    return this.#hasAllRoles;
  }

  /** A text that is the same for callers of the same kind who have the same scopes and roles. */
  get rights(): string {
    const { kind, scopes, roles } = this;
    return (this.#rights ??= JSON.stringify([
      kind,
      this.#isGrantedAll || [...scopes].sort(),
      this.#hasAllRoles || [...roles].sort(),
    ]));
  }

  /**
   * A digest of issuer, kind, id and client: the same for every token of the same caller, and different for every other caller. State
   * that outlives a request belongs to it. Undefined for callers whose identity was not proven.
   */
  get principal(): string | undefined {
    if (!this.isAuthenticated) return undefined;
    const { issuer = null, kind, id, clientId = null } = this;
    return (this.#principal ??= hash('sha256', JSON.stringify([issuer, kind, id, clientId]), 'base64url'));
  }
}

/** An unknown caller of a server that authenticates no callers. */
export const ANONYMOUS = new Caller({ id: 'anonymous', kind: 'anonymous' });

/** An unknown caller of a server that authenticates callers: it may use public entries only. */
export const WITHOUT_TOKEN = new Caller({ id: 'anonymous', kind: 'anonymous' });

/** Whether a caller may use public entries only. */
export function hasNoToken(caller: Caller): boolean {
  return caller.kind === 'anonymous' && caller !== ANONYMOUS;
}

/** The user who started the process. */
export const LOCAL = new Caller({ id: 'local', kind: 'local' });

/**
 * Copies a value, and freezes the copy deeply. JSON is copied by hand, at a fraction of the cost of `structuredClone`; all other values,
 * cycles included, by `structuredClone`. Throws a `DOMException` for values that cannot be copied, such as functions.
 */
function frozenCopy<T>(value: T, depth = 0): T {
  if (typeof value === 'function' || typeof value === 'symbol') return structuredClone(value); // throws
  if (typeof value !== 'object' || value === null) return value;
  if (depth > USUAL_DEPTH) return freezeDeep(structuredClone(value));
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenCopy(item, depth + 1))) as T;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain) return freezeDeep(structuredClone(value));
  const copy = { ...(value as Record<string, unknown>) };
  for (const name of Object.keys(copy)) copy[name] = frozenCopy(copy[name], depth + 1);
  return Object.freeze(copy) as T;
}

function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
  return value;
}
