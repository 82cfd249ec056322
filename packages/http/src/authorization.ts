/**
 * Access control: the token of a request, the time that its check may take, and the challenge.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import { Denial, type Logger, Caller, type Auth } from '@sigil-mcp/core';
import { type Clock, WITHOUT_TOKEN } from '@sigil-mcp/core/adapter';
import { Deadline, MissingScopes, MissingToken, isPromise, readAddress } from '@sigil-mcp/core/internal';
import type { HttpRequest } from './port';
import { httpError } from './errors';
import { type AuthSettings, WELL_KNOWN } from './options/auth-settings';
import { countHeader, pathOf, refusal } from './call';

/** Seconds after which a client may try again, and in which the log has one entry. */
const RETRY_AFTER = 5;

/**
 * The time limit for `verify`, and for `identify` of a program around the endpoint. What asks a database or another server may hang, and
 * all requests with it: a client that waits too long receives a 503 with a retry time, as if an issuer is unreachable.
 */
export class VerifyDeadline {
  #toldAt = -Infinity;

  /** @param milliseconds for each request; `Infinity` for no limit */
  constructor(
    private readonly milliseconds: number,
    private readonly logger: Pick<Logger, 'warn'>,
    readonly clock: Clock,
  ) {}

  /**
   * Resolves with a result in time. Rejects with a `Denial` with 503 otherwise, and never settles for a client that has
   * disconnected: no code waits for the result then.
   */
  of<T>(found: Promise<T>, request: HttpRequest): Promise<T> {
    const deadline = new Deadline(this.clock, this.milliseconds);
    const raced = deadline.race(found, () => this.#late());
    const stopListening = request.onClosed(() => deadline.abandon());
    return raced.finally(stopListening);
  }

  #late(): Denial {
    const { milliseconds } = this;
    const now = this.clock.elapsed();
    if (now - this.#toldAt >= RETRY_AFTER * 1000) {
      this.#toldAt = now;
      const err = httpError('SIGIL_AUTH_LATE', { milliseconds });
      this.logger.warn({ err }, 'A caller was not identified in time');
    }
    return new Denial('The caller was not identified in time. Try again later.', {
      error: 'internal-error',
      status: 503,
      retryAfter: RETRY_AFTER,
      limit: 'limits.verifyTimeout',
    });
  }
}

/** The problem with a token, in the terms of RFC 6750. */
export interface TokenProblem {
  readonly error: 'invalid_request' | 'invalid_token';
  /** For readers. */
  readonly description: string;
}

/**
 * The challenges for clients without a valid token: where to get a token, and which scopes to request. Each is a value of `WWW-Authenticate`,
 * always a single challenge.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 */
export class Challenges {
  /** The scopes that every client should request. */
  readonly #scopes: readonly string[];
  readonly #metadata: readonly string[];

  constructor({ resource, scopes }: Pick<AuthSettings, 'resource' | 'scopes'>) {
    this.#scopes = scopes;
    this.#metadata = resource ? [`resource_metadata="${resource.origin}${WELL_KNOWN}${resource.path}"`] : [];
  }

  /** @param problem undefined if there was no token, and so no problem with it */
  of(problem?: TokenProblem): string {
    const said = problem ? [`error="${problem.error}"`, `error_description="${describable(problem.description)}"`] : [];
    return this.#write(said, []);
  }

  /**
   * The challenge of a denial that names the missing scopes; undefined for any other failure. It names all scopes of the operation at
   * once: a client that requested them one by one would have to sign its user in each time.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
   */
  find(failure: unknown): string | undefined {
    if (failure instanceof MissingToken) return this.#write([], failure.scopes);
    return failure instanceof MissingScopes ? this.#write(['error="insufficient_scope"'], failure.scopes) : undefined;
  }

  /**
   * Refuses a caller without a token where a session has an owner, who may have left the token out, and sends it once it is
   * asked to. For any other caller the session does not exist.
   */
  checkOwner(caller: Caller, owner: string | undefined): void {
    if (caller !== WITHOUT_TOKEN || owner === undefined) return;
    const sentence = 'This session needs the token of its owner, in the header "Authorization: Bearer <token>".';
    throw new Denial(sentence, { status: 401, challenge: this.of() });
  }

  #write(said: readonly string[], needed: readonly string[]): string {
    const scopes = [...new Set([...this.#scopes, ...needed])];
    const asked = scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : [];
    return `Bearer ${[...said, ...asked, ...this.#metadata].join(', ')}`.trimEnd();
  }
}

/** A text without the characters that a description must not contain. */
function describable(text: string): string {
  return text.replaceAll('"', "'").replace(/[^\x20-\x7e]|\\/g, ' ');
}

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

/**
 * Authenticates callers: every request, of every method, needs a valid token before its body is read. If an entry is public, a request may have
 * no token, and its caller is anonymous.
 */
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
