/**
 * The authentication of an endpoint: every request, of every method, needs a valid token before its body is read. If an entry
 * is public, a request may have no token, and its caller is anonymous.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import { Caller, Denial, type Auth } from '@sigil-mcp/core';
import { WITHOUT_TOKEN, isPromise, readAddress } from '@sigil-mcp/core/adapter';
import { pathOf, countHeader } from '../call';
import type { AuthSettings } from '../options/auth-settings';
import type { HttpRequest } from '../port';
import { refusal } from '../responses';
import { httpError } from '../errors';
import { Challenges } from './challenges';
import type { VerifyDeadline } from './verify-deadline';

/** Gives callers the narrower scopes that their scopes imply. */
export class EffectiveScopes {
  readonly #implied: AuthSettings['implied'];
  /** A verifier that caches tokens returns the same callers again. */
  readonly #known = new WeakMap<Caller, Caller>();

  constructor({ implied }: Pick<AuthSettings, 'implied'>) {
    this.#implied = implied;
  }

  /** The caller with all scopes; the same object if there are no additional ones. */
  of(caller: Caller): Caller {
    if (this.#implied.size === 0) return caller;
    const known = this.#known.get(caller);
    if (known) return known;
    const scopes = new Set(caller.scopes.flatMap((scope) => this.#implied.get(scope) ?? [scope]));
    const hasAll = [...scopes].every((scope) => caller.scopes.includes(scope));
    const effective = hasAll ? caller : new Caller({ ...caller, scopes: [...scopes] });
    this.#known.set(caller, effective);
    return effective;
  }
}

/** The content of the header: a token, nothing for this server, or a malformed value. */
type Credentials =
  { readonly kind: 'token'; readonly token: string } | { readonly kind: 'none' } | { readonly kind: 'malformed' };

const NONE: Credentials = { kind: 'none' };

const MALFORMED: Credentials = { kind: 'malformed' };

/** Authenticates callers. */
export class Gate {
  readonly #auth: Auth;
  readonly #challenges: Challenges;
  /** Undefined if the endpoint does not know its own origin. */
  readonly #origin: string | undefined;

  readonly #scopes: EffectiveScopes;

  /**
   * @param isOpen whether callers without a token are accepted, because an entry is public
   * @param deadline the time limit of a verifier
   */
  constructor(
    settings: AuthSettings,
    private readonly isOpen: () => boolean,
    private readonly deadline: VerifyDeadline,
  ) {
    this.#auth = settings.auth;
    this.#challenges = new Challenges(settings);
    this.#scopes = new EffectiveScopes(settings);
    this.#origin = settings.resource?.origin;
  }

  /**
   * Identifies the caller of a request. Throws, or rejects with, a `Refusal` for a malformed header, a `Denial` for a missing or
   * invalid token, and a `SigilError` if the verifier failed. Does not wait for clients that have disconnected.
   */
  admit(request: HttpRequest): Caller | Promise<Caller> {
    const credentials = readBearerToken(request);
    if (credentials.kind === 'none') return this.#admitWithoutToken();
    if (credentials.kind === 'malformed') throw this.#unreadable();
    const found = this.#verify(credentials.token, request);
    return isPromise(found) ? found.then((caller) => this.#accept(caller)) : this.#accept(found);
  }

  #verify(token: string, request: HttpRequest): ReturnType<Auth['verify']> {
    const { method, headers, target, address } = request;
    // Never from the Host header, which every client can set.
    try {
      const asked = {
        scheme: 'bearer',
        method,
        headers,
        url: `${this.#origin ?? ''}${pathOf(target)}`,
        address: readAddress(address),
      };
      const found = this.#auth.verify(token, asked);
      if (!isPromise(found)) return found;
      return this.deadline.of(found, request).then(undefined, (error: unknown) => this.#fail(error));
    } catch (error) {
      return this.#fail(error);
    }
  }

  #accept(caller: Caller | undefined): Caller {
    if (caller === undefined) throw this.#bad('The token is not valid here.');
    if (!(caller instanceof Caller)) throw httpError('SIGIL_AUTH_NO_CALLER', { type: typeof caller });
    const { expiresAt } = caller;
    if (expiresAt !== undefined && expiresAt <= this.deadline.clock.now()) throw this.#bad('The token has expired.');
    return this.#scopes.of(caller);
  }

  /** Errors of a verifier may contain internal details: clients only receive a denial. */
  #fail(error: unknown): never {
    if (!(error instanceof Denial)) throw httpError('SIGIL_AUTH_VERIFY', undefined, { cause: error });
    throw error.status === 401 && error.challenge === undefined ? this.#bad(error.message) : error;
  }

  #bad(description: string): Denial {
    return new Denial(description, {
      status: 401,
      challenge: this.#challenges.of({ error: 'invalid_token', description }),
    });
  }

  #admitWithoutToken(): Caller {
    if (this.isOpen()) return WITHOUT_TOKEN;
    const challenge = this.#challenges.of();
    throw new Denial('This server needs a token. Send it in the header "Authorization: Bearer <token>".', {
      status: 401,
      challenge,
    });
  }

  #unreadable(): Error {
    const description = 'Send one Authorization header, with the scheme Bearer and the token.';
    return refusal(400, description, {
      'www-authenticate': this.#challenges.of({ error: 'invalid_request', description }),
    });
  }
}

/** Reads the token of a request. Credentials of another scheme do not count. */
function readBearerToken({ headers, rawHeaders }: HttpRequest): Credentials {
  const { authorization } = headers;
  if (typeof authorization !== 'string') return NONE;
  // Node keeps the first header and drops the others.
  if (countHeader(rawHeaders, 'authorization') > 1) return MALFORMED;
  const [scheme = ''] = authorization.split(' ', 1);
  if (scheme.toLowerCase() !== 'bearer') return NONE;
  const [, token] = /^ +([\w.~+/-]+=*)$/.exec(authorization.slice(scheme.length)) ?? [];
  return token === undefined ? MALFORMED : { kind: 'token', token };
}
