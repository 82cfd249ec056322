/** What an author says of the tokens that their issuer is asked about. */
import { sigilError } from '@sigil-mcp/core/adapter';
import { isAsSafe } from './issuer-metadata';
import type { TokenOptions } from './token-options';

/** What `introspection` takes. */
export interface IntrospectionOptions extends TokenOptions {
  /** Whose tokens are good: the URL of an authorization server, exactly as its metadata name it. */
  readonly issuer: string;
  /** Where the issuer is asked; where its metadata say if left out. */
  readonly url?: string;
  /** Who asks: the name under which the issuer knows this server. */
  readonly clientId: string;
  /** The secret of `clientId`. */
  readonly clientSecret: string;
  /** How the two are sent: in the header `Authorization`, or in the form; `basic` if left out. */
  readonly authentication?: 'basic' | 'post';
  /** Milliseconds that an answer is good for, at most 60,000; 30,000 if left out. A token that is taken back goes on for so long. */
  readonly maxAge?: number;
}

/** Milliseconds: what a client may still do after its token was taken back. */
const LONGEST = 60_000;

/** Checks the options. Throws a `SigilError` for those that cannot be used. */
export function checkIntrospection({ issuer, url, clientId, clientSecret, maxAge = 0 }: IntrospectionOptions): void {
  const refuse = (option: keyof IntrospectionOptions, value: unknown): never => {
    throw sigilError('SIGIL_INTROSPECTION_OPTION', { option, value: JSON.stringify(value) });
  };
  if (!URL.canParse(issuer)) refuse('issuer', issuer);
  if (url !== undefined && !isAsSafe(url, issuer)) refuse('url', url);
  if (clientId === '') refuse('clientId', clientId);
  if (clientSecret === '') refuse('clientSecret', clientSecret);
  if (!(maxAge >= 0 && maxAge <= LONGEST)) refuse('maxAge', maxAge);
}
