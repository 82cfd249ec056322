/** The headers of signed tokens. All tokens that were signed with the same key have the same one, so that each is read once. */
import { decodeProtectedHeader, errors, type ProtectedHeaderParameters } from 'jose';
import { badToken } from './refusals';

/** What a token says of its signature. */
export interface TokenHeader {
  readonly algorithm: string;
  /** The key that it names; undefined if it names none. */
  readonly kid: string | undefined;
  /** The kind of token that it says to be. */
  readonly typ: string | undefined;
}

/** Headers that are remembered before all are forgotten: anybody can make up another one. */
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
    // An extension that has to be understood, and is not.
    if (crit !== undefined) throw badToken('has an extension that is not known here');
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

/** A text of its own: a part of another one would keep hold of all of it, which is the token. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** A header may hold anything, whatever its type says. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
