/** A token in the compact form of RFC 7515, and what it claims; whether that is true its signature says. */
import { errors, UnsecuredJWT, type JWTClaimVerificationOptions, type JWTPayload } from 'jose';
import type { TokenHeader, TokenHeaders } from './token-headers';

/** A token whose claims are those that are asked for, if its signature is good. */
export interface SignedToken {
  readonly header: TokenHeader;
  readonly claims: JWTPayload;
  /** What was signed. */
  readonly text: string;
  readonly signature: string;
}

/** With it jose takes claims whose signature is looked at elsewhere. */
const UNSECURED = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');

/**
 * Takes a token apart, and holds its claims against rules.
 * @throws Denial with 401, or JOSEError
 */
export function readSignedToken(token: string, headers: TokenHeaders, rules: JWTClaimVerificationOptions): SignedToken {
  const [head = '', payload = '', signature, ...more] = token.split('.');
  if (signature === undefined || more.length > 0) throw new errors.JWSInvalid();
  const header = headers.read(head, token);
  const claims = UnsecuredJWT.decode(`${UNSECURED}.${payload}.`, rules).payload;
  return { header, claims, text: `${head}.${payload}`, signature };
}
