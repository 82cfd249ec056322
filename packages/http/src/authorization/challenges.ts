/**
 * The challenge for a client without a valid token: where to get a token, and which scopes to request.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 */
import { Denial, type Caller } from '@sigil-mcp/core';
import { MissingScopes, MissingToken, WITHOUT_TOKEN } from '@sigil-mcp/core/adapter';
import type { AuthSettings } from '../options/auth-settings';
import { WELL_KNOWN } from '../options/resource-uri';

/** The problem with a token, in the terms of RFC 6750. */
export interface TokenProblem {
  readonly error: 'invalid_request' | 'invalid_token';
  /** For readers. */
  readonly description: string;
}

/** The values of `WWW-Authenticate` for one endpoint: always a single challenge. */
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
