/**
 * What a client without a good token is told: where to get one, and what to ask for.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 */
import { MissingScopes, MissingToken } from '@sigil-mcp/core/adapter';
import type { AuthSettings } from '../options/auth-settings';
import { WELL_KNOWN } from '../options/resource-uri';

/** What is wrong with the token, in the words of RFC 6750. */
export interface TokenProblem {
  readonly error: 'invalid_request' | 'invalid_token';
  /** For people. */
  readonly description: string;
}

/** Values of `WWW-Authenticate` for one endpoint: always a single challenge. */
export class Challenges {
  /** What a client should ask for, whatever it is up to. */
  readonly #scopes: readonly string[];
  readonly #metadata: readonly string[];

  constructor({ resource, scopes }: Pick<AuthSettings, 'resource' | 'scopes'>) {
    this.#scopes = scopes;
    this.#metadata = resource ? [`resource_metadata="${resource.origin}${WELL_KNOWN}${resource.path}"`] : [];
  }

  /** @param problem undefined where there was no token: then there is nothing wrong with it */
  of(problem?: TokenProblem): string {
    const said = problem ? [`error="${problem.error}"`, `error_description="${describable(problem.description)}"`] : [];
    return this.#write(said, []);
  }

  /**
   * The challenge of a refusal that says what would open an operation; undefined for any other. It names all scopes of the operation at
   * once: a client that asked for one after the other would sign its user in as often.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
   */
  find(failure: unknown): string | undefined {
    if (failure instanceof MissingToken) return this.#write([], failure.scopes);
    return failure instanceof MissingScopes ? this.#write(['error="insufficient_scope"'], failure.scopes) : undefined;
  }

  #write(said: readonly string[], needed: readonly string[]): string {
    const scopes = [...new Set([...this.#scopes, ...needed])];
    const asked = scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : [];
    return `Bearer ${[...said, ...asked, ...this.#metadata].join(', ')}`.trimEnd();
  }
}

/** A text with nothing in it that a description may not have. */
function describable(text: string): string {
  return text.replaceAll('"', "'").replace(/[^\x20-\x7e]|\\/g, ' ');
}
