/**
 * The one gate of an endpoint: whatever comes, by whatever method, has to bring a good token, before a byte of its body is read. Where
 * something is public it may also bring none, and is a stranger then.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import { Caller, Denial, SigilError, type Auth } from '@sigil-mcp/core';
import { STRANGER, isPromise, readAddress, sigilError, wordsFor } from '@sigil-mcp/core/adapter';
import type { FastifyRequest } from 'fastify';
import { pathOf } from '../checks/request-target';
import type { AuthSettings } from '../options/auth-settings';
import { refusal } from '../refusals/refusal';
import { readBearerToken } from './bearer-token';
import { Challenges } from './challenges';
import { EffectiveScopes } from './effective-scopes';
import type { VerifyDeadline } from './verify-deadline';

/** Lets callers in. */
export class Gate {
  readonly #auth: Auth;
  readonly #challenges: Challenges;
  /** Undefined where the endpoint does not know its own. */
  readonly #origin: string | undefined;

  readonly #scopes: EffectiveScopes;

  /**
   * @param isOpen whether callers without a token may come in, because something is public
   * @param deadline how long a verifier may take, and what tells the time
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
   * Says who sends a request. Throws, or rejects with, a `Refusal` for a token that cannot be read, a `Denial` for one that is not good or is
   * missing, and a `SigilError` where the verifier failed. Waits for no client that has left.
   */
  admit(request: FastifyRequest): Caller | Promise<Caller> {
    const credentials = readBearerToken(request.raw);
    if (credentials.kind === 'none') return this.#admitStranger();
    if (credentials.kind === 'malformed') throw this.#unreadable();
    const found = this.#verify(credentials.token, request);
    return isPromise(found) ? found.then((caller) => this.#accept(caller)) : this.#accept(found);
  }

  #verify(token: string, { method, headers, url, raw, ip }: FastifyRequest): ReturnType<Auth['verify']> {
    // Never from the Host header, which anybody can write.
    try {
      const asked = {
        scheme: 'bearer',
        method,
        headers,
        url: `${this.#origin ?? ''}${pathOf(url)}`,
        address: readAddress(ip),
      };
      const found = this.#auth.verify(token, asked);
      if (!isPromise(found)) return found;
      return this.deadline.of(found, raw).then(undefined, (error: unknown) => this.#fail(error));
    } catch (error) {
      return this.#fail(error);
    }
  }

  #accept(caller: Caller | undefined): Caller {
    if (caller === undefined) throw this.#bad('The token is not good here.');
    if (!(caller instanceof Caller)) throw sigilError('SIGIL_AUTH_NO_CALLER', { type: typeof caller });
    const { expiresAt } = caller;
    if (expiresAt !== undefined && expiresAt <= this.deadline.clock.now()) throw this.#bad('The token has expired.');
    return this.#scopes.of(caller);
  }

  /** What a verifier throws may know more than a client should: only a denial is meant for it. */
  #fail(error: unknown): never {
    if (!(error instanceof Denial)) throw new SigilError(wordsFor('SIGIL_AUTH_VERIFY'), { cause: error });
    throw error.status === 401 && error.challenge === undefined ? this.#bad(error.message) : error;
  }

  #bad(description: string): Denial {
    return new Denial(description, {
      status: 401,
      challenge: this.#challenges.of({ error: 'invalid_token', description }),
    });
  }

  #admitStranger(): Caller {
    if (this.isOpen()) return STRANGER;
    const challenge = this.#challenges.of();
    throw new Denial('A token is needed: Authorization: Bearer.', { status: 401, challenge });
  }

  #unreadable(): Error {
    const description = 'The Authorization header has to come once, and say: Bearer, and the token.';
    return refusal(400, description, {
      'www-authenticate': this.#challenges.of({ error: 'invalid_request', description }),
    });
  }
}
