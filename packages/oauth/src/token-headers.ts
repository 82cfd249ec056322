/** The headers of signed tokens. Tokens that were signed with the same key have the same header, so each header is read once. */
import { decodeProtectedHeader, errors, type ProtectedHeaderParameters } from 'jose';
import { badToken } from './refusals';

/** The header of a signed token. */
export interface TokenHeader {
  readonly algorithm: string;
  /** The key that it names; undefined if it names none. */
  readonly kid: string | undefined;
  /** The kind of token, as the token declares it. */
  readonly typ: string | undefined;
}

/** Headers that are cached before the cache is emptied. Limited, because any client can make up more. */
const MOST = 100;

/** Reads headers. */
export class TokenHeaders {
  readonly #known = new Map<string, TokenHeader>();

  /** @param algorithms that may sign */
  constructor(private readonly algorithms: readonly string[]) {}

  /**
   * The header of a token in the compact form of RFC 7515.
   * @param text of the header alone
   * @throws Denial with 401, or JOSEError
   */
  read(text: string, token: string): TokenHeader {
    const known = this.#known.get(text);
    if (known) return known;
    const { alg = '', kid, typ, crit } = headerOf(token);
    if (!this.algorithms.includes(alg)) throw new errors.JOSEAlgNotAllowed();
    // An extension that must be understood, and is not supported.
    if (crit !== undefined) throw badToken('has a critical header that this server does not support');
    const header = { algorithm: alg, kid: textOf(kid), typ: textOf(typ) };
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(copyOf(text), header);
    return header;
  }
}

function headerOf(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token);
  } catch (cause) {
    throw new errors.JWSInvalid('The header of a token cannot be read.', { cause });
  }
}

/** A copy of the text: a substring would keep the whole token in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** At run time a header may hold any value, despite its type. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
