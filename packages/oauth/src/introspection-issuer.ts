/** Asks an issuer about tokens, and handles an issuer that does not answer. */
import { JsonLinesLogger, systemClock, type Clock, type Denial, type Logger } from '@sigil-mcp/core';
import { isObject, networkOf, oneOf, OPTION_RULES, requireOptions, type OptionRule } from '@sigil-mcp/core/internal';
import { oauthError } from './errors';
import { fetchJson, NoDocument, type PostedForm } from './fetch-json';
import { findUrl, isAsSafe, isTrustedAddress } from './issuer-metadata';
import { QuestionQueue } from './question-queue';
import { outOfReach, RETRY_AFTER } from './claims';
import { TOKEN_OPTIONS, type TokenOptions } from './token-options';

// The options for tokens that are checked by asking their issuer.

/** The options of `introspection`. */
export interface IntrospectionOptions extends TokenOptions {
  /** The issuer whose tokens are accepted: the URL of an authorization server, exactly as in its metadata. */
  readonly issuer: string;
  /** The introspection endpoint: `https`, or a host of a private network; the one in the issuer's metadata if left out. */
  readonly url?: string;
  /** The client ID under which the issuer knows this server. */
  readonly clientId: string;
  /** The secret of `clientId`. */
  readonly clientSecret: string;
  /** How the ID and the secret are sent: in the header `Authorization`, or in the form; `basic` if left out. */
  readonly authentication?: 'basic' | 'post';
  /** Milliseconds that an answer is cached, at most 60,000; 30,000 if left out. A revoked token stays valid here for that long. */
  readonly maxAge?: number;
}

/** What each option may be; those that are undefined are checked below, which says more about them. */
const INTROSPECTION_OPTIONS: Readonly<Record<keyof IntrospectionOptions, OptionRule | undefined>> = {
  ...TOKEN_OPTIONS,
  issuer: undefined,
  url: undefined,
  clientId: OPTION_RULES.text,
  clientSecret: undefined,
  authentication: oneOf('basic', 'post'),
  maxAge: undefined,
};

/** Milliseconds: how long a revoked token may still be used. */
const LONGEST = 60_000;

/** Checks the options. Throws a `DefinitionError` or a `SigilError` for those that cannot be used. */
export function checkIntrospection(options: IntrospectionOptions): void {
  requireOptions('introspection', options, INTROSPECTION_OPTIONS);
  const { issuer, url, clientSecret, maxAge = 0 } = options;
  const refuse = (option: keyof IntrospectionOptions, value: unknown): never => {
    throw oauthError('SIGIL_INTROSPECTION_OPTION', { option, value: JSON.stringify(value) });
  };
  if (!URL.canParse(issuer)) refuse('issuer', issuer);
  if (url !== undefined && !isAsSafe(url, issuer) && !isTrustedAddress(url)) refuse('url', url);
  // Never the secret itself.
  if (typeof clientSecret !== 'string' || clientSecret === '') refuse('clientSecret', typeof clientSecret);
  if (!(maxAge >= 0 && maxAge <= LONGEST)) refuse('maxAge', maxAge);
}

/** Statuses with which an issuer refuses a token that it cannot even look up. Any client can make up such a token. */
const OF_THE_TOKEN = [400, 413, 414, 422, 431];
/** Statuses for a server that is not allowed to ask: no token will get an answer. */
const OF_US = [401, 403, 404, 405];

/** After this many unanswered tokens in a row, the issuer is assumed to be the cause. */
const SEVERAL = 3;

/** A question without an answer. The cause may be this token. */
export class Unanswerable extends Error {
  /** @param denial the error that the client receives */
  constructor(readonly denial: Denial) {
    super(denial.message);
  }
}

/** Asks the issuer. A failure that a single token may have caused does not block other tokens. */
export class IntrospectionIssuer {
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #queue: QuestionQueue;
  #url: string | undefined;
  #failures = 0;
  #failedAt = -Infinity;
  #loggedAt = -Infinity;

  constructor(private readonly options: IntrospectionOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? new JsonLinesLogger();
    this.#queue = new QuestionQueue(this.#clock);
  }

  /**
   * Returns the issuer's answer; the token is sent to the issuer only. Rejects with `Unanswerable` if the issuer did not answer about this
   * token, and with a `Denial` with 503 if it was not asked at all.
   * @param address of the client, which has a share of the questions
   */
  async ask(token: string, address: string): Promise<Readonly<Record<string, unknown>>> {
    this.#checkReach();
    return this.#queue.run(networkOf(address), () => {
      this.#checkReach();
      return this.#ask(token);
    });
  }

  /** After a failure that no token can have caused, nothing is asked for a while. */
  #checkReach(): void {
    if (this.#clock.elapsed() - this.#failedAt < RETRY_AFTER * 1000) throw outOfReach('The issuer is');
  }

  async #ask(token: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      const answer = await fetchJson(await this.#findUrl(), this.#questionOf(token));
      if (!isObject(answer) || typeof answer['active'] !== 'boolean')
        throw oauthError('SIGIL_INTROSPECTION_ANSWER', { url: this.#url ?? '' });
      this.#failures = 0;
      this.#queue.beCareful(false);
      return answer;
    } catch (error) {
      this.#fail(error);
      throw new Unanswerable(outOfReach('The issuer is'));
    }
  }

  async #findUrl(): Promise<string> {
    return (this.#url ??= this.options.url ?? (await findUrl(this.options.issuer, 'introspection_endpoint')));
  }

  #fail(error: unknown): void {
    const status = error instanceof NoDocument ? error.status : undefined;
    const isOfToken = status !== undefined && OF_THE_TOKEN.includes(status);
    const hasLogged = this.#clock.elapsed() - this.#loggedAt < RETRY_AFTER * 1000;
    if (!hasLogged) {
      this.#loggedAt = this.#clock.elapsed();
      this.#logger.warn({ issuer: this.options.issuer, err: error }, 'An issuer could not be asked about a token');
    }
    if (isOfToken) return;
    // Several in a row: from now on one at a time, so that an answer to one of them shows that the others were at fault.
    if (++this.#failures >= SEVERAL) this.#queue.beCareful(true);
    const isAnswered = status !== undefined || error instanceof SyntaxError || isOddAnswer(error);
    if (isAnswered && !OF_US.includes(status ?? 0)) return;
    // The issuer may have moved the endpoint.
    this.#url = undefined;
    this.#failedAt = this.#clock.elapsed();
  }

  #questionOf(token: string): PostedForm {
    const { clientId, clientSecret, authentication = 'basic' } = this.options;
    const form = new URLSearchParams({ token, token_type_hint: 'access_token' });
    if (authentication === 'basic') return { form, authorization: basicOf(clientId, clientSecret) };
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
    return { form };
  }
}

/** The issuer answered, but the answer is not usable. */
function isOddAnswer(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SIGIL_INTROSPECTION_ANSWER';
}

/** Each of the two is encoded as in a form before they are joined (RFC 6749, section 2.3.1). */
function basicOf(id: string, secret: string): string {
  const [user, password] = [id, secret].map((text) => new URLSearchParams([['', text]]).toString().slice(1));
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
