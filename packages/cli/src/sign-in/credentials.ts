/** What lets a command in at a server over HTTP: a token that was given, or what signing in has brought. */
import { wrongUsage } from '../failure';
import type { OAuthState } from '../official-client';

/** What is given beforehand. */
export interface GivenCredentials {
  /** A token for the `Authorization` header; `SIGIL_TOKEN` if left out. */
  readonly token?: string | undefined;
  /** Whether somebody signs in before anything else, also where everybody is let in; false if left out. */
  readonly signIn?: boolean | undefined;
  /** The client that the authorization server knows; registered by itself if left out. */
  readonly clientId?: string | undefined;
  /** The port that the browser comes back to; a free one if left out. */
  readonly callbackPort?: number | undefined;
}

/** @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
const TOKEN = /^[\w.~+/-]+=*$/;

/** The credentials of one command, for all its connections. They are kept in memory, and nowhere else. */
export class Credentials {
  /** What signing in leaves, in the words of the official client. */
  readonly state: OAuthState = {};
  readonly clientId: string | undefined;
  readonly callbackPort: number;
  /** Whether a token was typed. */
  readonly isTyped: boolean;
  readonly #signsIn: boolean;
  readonly #given: string | undefined;

  /** Throws a `CliFailure` for a token that no header can say. */
  constructor(
    { token, signIn = false, clientId, callbackPort = 0 }: GivenCredentials,
    env: NodeJS.ProcessEnv = process.env,
  ) {
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

  /** What is sent; undefined where there is nothing yet. */
  get token(): string | undefined {
    return this.#given ?? this.state.tokens?.access_token;
  }

  /** Whether somebody is to sign in before the server is met. */
  get isAwaited(): boolean {
    return this.#signsIn && this.token === undefined;
  }

  /** Whether somebody chose the token: then it is the only one. */
  get isGiven(): boolean {
    return this.#given !== undefined;
  }
}
