/**
 * The `Authorization` header, the only source of tokens.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 */
import type { IncomingMessage } from 'node:http';
import { countHeader } from '../checks/count-header';

/** The content of the header: a token, nothing for this server, or a malformed value. */
export type Credentials =
  { readonly kind: 'token'; readonly token: string } | { readonly kind: 'none' } | { readonly kind: 'malformed' };

const NONE: Credentials = { kind: 'none' };
const MALFORMED: Credentials = { kind: 'malformed' };

/** Reads the token of a request. Credentials of another scheme do not count. */
export function readBearerToken(message: IncomingMessage): Credentials {
  const { authorization } = message.headers;
  if (authorization === undefined) return NONE;
  // Node keeps the first header and drops the others.
  if (countHeader(message.rawHeaders, 'authorization') > 1) return MALFORMED;
  const [, scheme = '', rest = ''] = /^([^ ]*)(.*)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'bearer') return NONE;
  const [, token] = /^ +([\w.~+/-]+=*)$/.exec(rest) ?? [];
  return token === undefined ? MALFORMED : { kind: 'token', token };
}
