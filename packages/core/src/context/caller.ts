/** Who calls: what a transport has proven of whoever sent a request. */
import { createHash } from 'node:crypto';

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
  /** What the caller was granted; nothing if left out. */
  readonly scopes?: readonly string[];
  /** Roles of the caller; none if left out. */
  readonly roles?: readonly string[];
  /** What else is known, as JSON, such as the claims of a token; nothing if left out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** When what proved the caller ceases to be good, in milliseconds since 1970; never if left out. */
  readonly expiresAt?: number | undefined;
}

/**
 * Who calls. `context.caller` is one, and so is the parameter of every handler method that has a parameter of this class, in any
 * position. It is frozen through and through, and does not hold the token that proved it: that was meant for this server alone.
 * @example @Tool('Lists your notes') list(caller: Caller) { return this.notes.of(caller.id); }
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
  #principal: string | undefined;

  /** Copies what it is given, and freezes the copy. Throws a `DOMException` for claims that cannot be copied, such as functions. */
  constructor({ id, kind = 'user', clientId, issuer, scopes = [], roles = [], claims = {}, expiresAt }: CallerInit) {
    this.id = id;
    this.kind = kind;
    this.clientId = clientId;
    this.issuer = issuer;
    this.scopes = Object.freeze([...scopes]);
    this.roles = Object.freeze([...roles]);
    this.claims = freezeDeep(structuredClone(claims));
    this.expiresAt = expiresAt;
    Object.freeze(this);
  }

  /** Whether somebody vouched for the caller: a user or a client. */
  get isAuthenticated(): boolean {
    return this.kind === 'user' || this.kind === 'client';
  }

  /**
   * A digest of issuer, kind, id and client: the same for every token of the same caller, and another one for everybody else. What
   * outlives a request belongs to it. Undefined for callers whom nobody vouched for.
   */
  get principal(): string | undefined {
    if (!this.isAuthenticated) return undefined;
    const { issuer = null, kind, id, clientId = null } = this;
    return (this.#principal ??= createHash('sha256')
      .update(JSON.stringify([issuer, kind, id, clientId]))
      .digest('base64url'));
  }
}

/** Nobody in particular. */
export const ANONYMOUS = new Caller({ id: 'anonymous', kind: 'anonymous' });

/** Whoever started the process. */
export const LOCAL = new Caller({ id: 'local', kind: 'local' });

function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
  return value;
}
