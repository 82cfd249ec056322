/** The keys of one fetch, and which of them may have signed a token. */
import type { MaybePromise } from '@sigil-mcp/core';
import { isObject } from '@sigil-mcp/core/internal';
import {
  createLocalJWKSet,
  errors,
  type CryptoKey,
  type JSONWebKeySet,
  decodeProtectedHeader,
  type ProtectedHeaderParameters,
} from 'jose';
import { constants, KeyObject, verify, type VerifyKeyObjectInput } from 'node:crypto';
import { badToken } from './claims';

/**
 * The header of a signed token.
 *
 * The headers of signed tokens. Tokens that were signed with the same key have the same header, so each header is read once.
 */
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

/**
 * The public key of one algorithm.
 *
 * Checks signatures synchronously with Node. WebCrypto would use a thread for each, which costs more than an RSA signature.
 * @see https://www.rfc-editor.org/rfc/rfc7518#section-3.1
 */
export interface SignatureKey {
  /** Undefined if the algorithm implies it. */
  readonly hash: string | undefined;
  readonly key: VerifyKeyObjectInput;
}

type Manner = Omit<VerifyKeyObjectInput, 'key'>;

/** How the algorithms of each family sign; the digits that follow are those of the hash. */
const MANNERS: Readonly<Record<string, Manner>> = {
  RS: { padding: constants.RSA_PKCS1_PADDING },
  PS: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
  ES: { dsaEncoding: 'ieee-p1363' },
  Ed: {},
};

/** The minimum of RFC 7518 for RSA: shorter keys were broken. */
const FEWEST_BITS = 2048;

/** The members of a token's header that identify its key. */
export type KeyHint = Pick<TokenHeader, 'algorithm' | 'kid'>;

/**
 * Finds keys by their names and algorithms.
 * @see https://www.rfc-editor.org/rfc/rfc7515#section-4.1.4
 */
export class KeySet {
  /** Name -> the issuer whose tokens alone it signs; undefined for a key of all that the set is for. */
  readonly #issuers: ReadonlyMap<string, string | undefined>;
  readonly #set: ReturnType<typeof createLocalJWKSet>;
  /** By algorithm and name. Bounded by the issuer's own keys, because no entry is added for a name that the issuer does not have. */
  readonly #prepared = new Map<string, readonly SignatureKey[]>();

  /** Throws JOSEError if the document is not a set of keys. */
  constructor(document: unknown) {
    this.#set = createLocalJWKSet(document as JSONWebKeySet);
    const keys: unknown = isObject(document) ? document['keys'] : [];
    const named = (Array.isArray(keys) ? keys : []).flatMap((key): [string, string | undefined][] => {
      const { kid, issuer }: { kid?: unknown; issuer?: unknown } = isObject(key) ? key : {};
      return typeof kid === 'string' ? [[kid, typeof issuer === 'string' ? issuer : undefined]] : [];
    });
    this.#issuers = new Map(named);
  }

  /** Whether a token names one of the keys. If no key has a name, the name in a token is ignored. */
  hasName(kid: string | undefined): boolean {
    return kid !== undefined && this.#issuers.has(kid);
  }

  /**
   * The issuer whose tokens alone a key signs: a member of single keys in the sets of families. Undefined for keys of all of them; without a
   * name, the key may be each of these.
   */
  issuerOf(kid: string | undefined): string | undefined {
    return kid === undefined ? [...this.#issuers.values()].find((each) => each !== undefined) : this.#issuers.get(kid);
  }

  /**
   * The keys that may have signed a token, synchronously if they were used before: none, one, or all keys of its algorithm if their names
   * do not identify one. Rejects with JOSEError, or with a `Denial` with 401 if each of them is too weak.
   */
  find({ algorithm, kid }: KeyHint): MaybePromise<readonly SignatureKey[]> {
    const name = this.#issuers.size > 0 ? kid : undefined;
    return this.#prepared.get(`${algorithm} ${name ?? ''}`) ?? this.#prepare({ algorithm, kid: name });
  }

  async #prepare({ algorithm, kid }: KeyHint): Promise<readonly SignatureKey[]> {
    const imported = await this.#import(algorithm, kid);
    if (imported.length === 0) return [];
    const keys = strongOnes(algorithm, imported);
    this.#prepared.set(`${algorithm} ${kid ?? ''}`, keys);
    return keys;
  }

  async #import(alg: string, kid: string | undefined): Promise<readonly CryptoKey[]> {
    try {
      return [await this.#set({ alg, ...(kid !== undefined && { kid }) })];
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return [];
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      const keys: CryptoKey[] = [];
      for await (const key of error) keys.push(key);
      return keys;
    }
  }
}

/** Returns the keys that are strong enough. Throws a `Denial` with 401 if none is. */
function strongOnes(algorithm: string, imported: readonly CryptoKey[]): readonly SignatureKey[] {
  const keys: SignatureKey[] = [];
  let weak: unknown;
  for (const key of imported) {
    try {
      keys.push(signatureKeyOf(algorithm, key));
    } catch (error) {
      weak = error;
    }
  }
  if (keys.length === 0) throw weak;
  return keys;
}

/**
 * Prepares a key for an algorithm that it was imported for.
 * @throws Denial with 401 for a key that is too short
 */
function signatureKeyOf(algorithm: string, imported: CryptoKey): SignatureKey {
  const key = KeyObject.from(imported);
  const { modulusLength = FEWEST_BITS } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < FEWEST_BITS) throw badToken('is signed with a key that is too short');
  const [, family = '', bits] = /^(RS|PS|ES|Ed)(\d{3})?/.exec(algorithm) ?? [];
  return { hash: bits === undefined ? undefined : `sha${bits}`, key: { key, ...MANNERS[family] } };
}

/** Whether a text was signed with the private part of a key. */
export function isSigned(text: string, signature: string, { hash, key }: SignatureKey): boolean {
  // Node skips characters that base64url does not have, so that one signature could be written in many ways.
  if (!/^[\w-]+$/.test(signature)) return false;
  return verify(hash, Buffer.from(text, 'latin1'), key, Buffer.from(signature, 'base64url'));
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
