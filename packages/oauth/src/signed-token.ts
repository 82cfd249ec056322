/** A token in the compact form of RFC 7515, and what it claims; whether that is true its signature says. */
import {
  decodeProtectedHeader,
  errors,
  UnsecuredJWT,
  type JWTClaimVerificationOptions,
  type JWTPayload,
  type ProtectedHeaderParameters,
} from 'jose';
import { badToken } from './refusals';

/** A token whose claims are those that are asked for, if its signature is good. */
export interface SignedToken {
  readonly algorithm: string;
  /** The key that it names; undefined if it names none. */
  readonly kid: string | undefined;
  /** The kind of token that it says to be. */
  readonly typ: string | undefined;
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
export function readSignedToken(
  token: string,
  algorithms: readonly string[],
  rules: JWTClaimVerificationOptions,
): SignedToken {
  const [header = '', payload = '', signature, ...more] = token.split('.');
  if (signature === undefined || more.length > 0) throw new errors.JWSInvalid();
  const { alg = '', kid, typ, crit } = headerOf(token);
  if (!algorithms.includes(alg)) throw new errors.JOSEAlgNotAllowed();
  // An extension that has to be understood, and is not.
  if (crit !== undefined) throw badToken('has an extension that is not known here');
  const claims = UnsecuredJWT.decode(`${UNSECURED}.${payload}.`, rules).payload;
  return { algorithm: alg, kid: textOf(kid), typ: textOf(typ), claims, text: `${header}.${payload}`, signature };
}

function headerOf(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token);
  } catch (cause) {
    throw new errors.JWSInvalid('The header of a token cannot be read.', { cause });
  }
}

/** A header may hold anything, whatever its type says. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
