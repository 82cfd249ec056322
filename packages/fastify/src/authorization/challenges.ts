/**
 * What a client without a good token is told: where to get one, and what to ask for.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 */
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
  /** What stands in each of them. */
  readonly #always: readonly string[];

  constructor({ resource, scopes }: Pick<AuthSettings, 'resource' | 'scopes'>) {
    this.#always = [
      ...(scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : []),
      ...(resource ? [`resource_metadata="${resource.origin}${WELL_KNOWN}${resource.path}"`] : []),
    ];
  }

  /** @param problem undefined where there was no token: then there is nothing wrong with it */
  of(problem?: TokenProblem): string {
    const said = problem ? [`error="${problem.error}"`, `error_description="${describable(problem.description)}"`] : [];
    return ['Bearer', [...said, ...this.#always].join(', ')].join(' ').trimEnd();
  }
}

/** A text with nothing in it that a description may not have. */
function describable(text: string): string {
  return text.replaceAll('"', "'").replace(/[^\x20-\x7e]|\\/g, ' ');
}
