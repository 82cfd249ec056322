/** The options for tokens that are checked by asking their issuer. */
import { OPTION_RULES, oneOf, requireOptions, type OptionRule } from '@sigil-mcp/core/adapter';
import { isAsSafe, isTrustedAddress } from './issuer-metadata';
import { TOKEN_OPTIONS, type TokenOptions } from './token-options';
import { oauthError } from './errors';

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
