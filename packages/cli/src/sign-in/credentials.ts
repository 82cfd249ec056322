/** The credentials for a server over HTTP: a given token, or the result of a sign-in. */
import { wrongUsage } from '../failure';
import type { OAuthState } from '../official-client';

/** The options for credentials. */
export interface GivenCredentials {
  /** A token for the `Authorization` header; `SIGIL_TOKEN` if left out. */
  readonly token?: string | undefined;
  /** Whether to sign in before anything else, even if no token is required; false if left out. */
  readonly signIn?: boolean | undefined;
  /** A client that the authorization server knows; registered automatically if left out. */
  readonly clientId?: string | undefined;
  /** The port for the redirect of the browser; a free one if left out. */
  readonly callbackPort?: number | undefined;
}

/** @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
const TOKEN = /^[\w.~+/-]+=*$/;

/** The credentials of one command, for all its connections. They are only held in memory. */
export class CommandCredentials {
  /** The result of a sign-in, stored for the official client. */
  readonly state: OAuthState = {};
  readonly clientId: string | undefined;
  readonly callbackPort: number;
  /** Whether the token was given as an option. */
  readonly isTyped: boolean;
  readonly #signsIn: boolean;
  readonly #given: string | undefined;

  /** Throws a `CliFailure` for a token that is not valid in a header. */
  constructor({ token, signIn = false, clientId, callbackPort = 0 }: GivenCredentials, env: NodeJS.ProcessEnv) {
    this.#given = token ?? (env['SIGIL_TOKEN']?.trim() || undefined);
    if (this.#given !== undefined && !TOKEN.test(this.#given))
      throw wrongUsage('SIGIL_CLI_TOKEN_NONE', {
        source: token === undefined ? 'the environment (SIGIL_TOKEN)' : '--token',
      });
    this.isTyped = token !== undefined;
    this.#signsIn = signIn;
    this.clientId = clientId;
    this.callbackPort = callbackPort;
  }

  /** The token to send; undefined before there is one. */
  get token(): string | undefined {
    return this.#given ?? this.state.tokens?.access_token;
  }

  /** Whether to sign in before connecting. */
  get isAwaited(): boolean {
    return this.#signsIn && this.token === undefined;
  }

  /** Whether the user chose the token: then no other is used. */
  get isGiven(): boolean {
    return this.#given !== undefined;
  }
}
