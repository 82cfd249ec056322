/**
 * The `Authorization` header, the only source of tokens.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 */
import { countHeader } from '../checks/repeated-headers';
import type { HttpRequest } from '../port';

/** The content of the header: a token, nothing for this server, or a malformed value. */
export type Credentials =
  { readonly kind: 'token'; readonly token: string } | { readonly kind: 'none' } | { readonly kind: 'malformed' };

const NONE: Credentials = { kind: 'none' };
const MALFORMED: Credentials = { kind: 'malformed' };

/** Reads the token of a request. Credentials of another scheme do not count. */
export function readBearerToken({ headers, rawHeaders }: HttpRequest): Credentials {
  const { authorization } = headers;
  if (typeof authorization !== 'string') return NONE;
  // Node keeps the first header and drops the others.
  if (countHeader(rawHeaders, 'authorization') > 1) return MALFORMED;
  const [scheme = ''] = authorization.split(' ', 1);
  if (scheme.toLowerCase() !== 'bearer') return NONE;
  const [, token] = /^ +([\w.~+/-]+=*)$/.exec(authorization.slice(scheme.length)) ?? [];
  return token === undefined ? MALFORMED : { kind: 'token', token };
}
