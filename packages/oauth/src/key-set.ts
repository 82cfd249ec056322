/** The keys of one fetch, and which of them may have signed a token. */
import type { MaybePromise } from '@sigil-mcp/core';
import { isObject } from '@sigil-mcp/core/adapter';
import { createLocalJWKSet, errors, type CryptoKey, type JSONWebKeySet } from 'jose';
import { signatureKeyOf, type SignatureKey } from './signatures';
import type { TokenHeader } from './token-headers';

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
