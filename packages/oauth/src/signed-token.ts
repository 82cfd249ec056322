/** Reads a token in the compact form of RFC 7515 and checks its claims. Whether they are true is for its signature to show. */
import { errors, UnsecuredJWT, type JWTClaimVerificationOptions, type JWTPayload } from 'jose';
import type { TokenHeader, TokenHeaders } from './key-set';

/** A token whose claims follow the rules; they count only if its signature is valid. */
export interface SignedToken {
  readonly header: TokenHeader;
  readonly claims: JWTPayload;
  /** The text that was signed. */
  readonly text: string;
  readonly signature: string;
}

/** With this header jose accepts claims whose signature is checked elsewhere. */
const UNSECURED = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');

/**
 * Splits a token, and checks its claims against rules.
 * @throws Denial with 401, or JOSEError
 */
export function readSignedToken(token: string, headers: TokenHeaders, rules: JWTClaimVerificationOptions): SignedToken {
  const [head = '', payload = '', signature, ...more] = token.split('.');
  if (signature === undefined || more.length > 0) throw new errors.JWSInvalid();
  const header = headers.read(head, token);
  const claims = UnsecuredJWT.decode(`${UNSECURED}.${payload}.`, rules).payload;
  return { header, claims, text: `${head}.${payload}`, signature };
}
