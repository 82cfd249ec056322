/** Who calls: what a transport has proven of whoever sent a request. */
import { hash } from 'node:crypto';
import { frozenCopy } from '../values/frozen-copy';

/**
 * What stands behind a caller. `user`: somebody who signed in. `client`: a program that calls in its own name. `anonymous`: nobody
 * was authenticated. `local`: whoever started the process, over stdio.
 */
export type CallerKind = 'user' | 'client' | 'anonymous' | 'local';

/** What a caller is made of. */
export interface CallerInit {
  /** Stable identifier: with the issuer and the client it is what sessions and limits belong to. */
  readonly id: string;
  /** `user` if left out. */
  readonly kind?: CallerKind;
  /** The OAuth client that the request came through; unknown if left out. */
  readonly clientId?: string | undefined;
  /** Who vouches for the caller, such as the URL of an authorization server; nobody in particular if left out. */
  readonly issuer?: string | undefined;
  /** What the caller was granted; if left out nothing, or everything for one of the kind `local`. */
  readonly scopes?: readonly string[];
  /** Roles of the caller; if left out none, or all for one of the kind `local`. */
  readonly roles?: readonly string[];
  /** What else is known, as JSON, such as the claims of a token; nothing if left out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** When what proved the caller ceases to be good, in milliseconds since 1970; never if left out. */
  readonly expiresAt?: number | undefined;
}

/**
 * Who calls. `context.caller` is one, and so is the parameter of every handler method that has a parameter of this class, in any
 * position. It is frozen through and through, and does not hold the token that proved it: that was meant for this server alone.
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

  /** Copies what it is given, and freezes the copy. Throws a `DOMException` for claims that cannot be copied, such as functions. */
  constructor({ id, kind = 'user', clientId, issuer, scopes, roles, claims = {}, expiresAt }: CallerInit) {
    this.#isGrantedAll = kind === 'local' && scopes === undefined;
    this.#hasAllRoles = kind === 'local' && roles === undefined;
    this.id = id;
    this.kind = kind;
    this.clientId = clientId;
    this.issuer = issuer;
    this.scopes = Object.freeze([...(scopes ?? [])]);
    this.roles = Object.freeze([...(roles ?? [])]);
    this.claims = frozenCopy(claims);
    // A time that is none has passed.
    this.expiresAt = Number.isNaN(expiresAt) ? 0 : expiresAt;
    Object.freeze(this);
  }

  /** Whether somebody vouched for the caller: a user or a client. */
  get isAuthenticated(): boolean {
    return this.kind === 'user' || this.kind === 'client';
  }

  /** Whether the caller has all of these scopes. Whoever started the process has every one, unless somebody said which. */
  hasScopes(...scopes: readonly string[]): boolean {
    return this.#isGrantedAll || scopes.every((scope) => this.scopes.includes(scope));
  }

  /** Whether the caller has one of these roles. Whoever started the process has every one, unless somebody said which. */
  hasRole(...roles: readonly string[]): boolean {
    return this.#hasAllRoles || roles.some((role) => this.roles.includes(role));
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
   * A digest of issuer, kind, id and client: the same for every token of the same caller, and another one for everybody else. What
   * outlives a request belongs to it. Undefined for callers whom nobody vouched for.
   */
  get principal(): string | undefined {
    if (!this.isAuthenticated) return undefined;
    const { issuer = null, kind, id, clientId = null } = this;
    return (this.#principal ??= hash('sha256', JSON.stringify([issuer, kind, id, clientId]), 'base64url'));
  }
}

/** Nobody in particular, where nobody is asked for a name. */
export const ANONYMOUS = new Caller({ id: 'anonymous', kind: 'anonymous' });

/** Nobody in particular, where others have proved who they are: what is public is open, and nothing else. */
export const STRANGER = new Caller({ id: 'anonymous', kind: 'anonymous' });

/** Whether only what is public is open to a caller. */
export function isStranger(caller: Caller): boolean {
  return caller.kind === 'anonymous' && caller !== ANONYMOUS;
}

/** Whoever started the process. */
export const LOCAL = new Caller({ id: 'local', kind: 'local' });
