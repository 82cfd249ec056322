/**
 * The keys of one issuer. They are fetched when the first token comes, again for a key that is not known, and now and then; keys that
 * were fetched stay good while the issuer cannot be reached.
 */
import type { MaybePromise } from '@sigil-mcp/core';
import { isPromise, unawaited } from '@sigil-mcp/core/adapter';
import { createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import { fetchJson } from './fetch-json';
import { findUrl } from './issuer-metadata';
import { outOfReach, RETRY_AFTER } from './refusals';
import { signatureKeyOf, type SignatureKey } from './signatures';
import type { TokenHeader } from './token-headers';

/** When keys are fetched. */
export interface KeyTimes {
  /** Milliseconds between two fetches that unknown keys cause. */
  readonly cooldown: number;
  /** Milliseconds after which keys are fetched again, while those that are there are used. */
  readonly maxAge: number;
}

/** What a token says of its key. */
type KeyHint = Pick<TokenHeader, 'algorithm' | 'kid'>;

/** The keys of one fetch. */
class KeySet {
  readonly #set: ReturnType<typeof createLocalJWKSet>;
  /** By algorithm and name: as many as the issuer has, because none is made for a name that it does not have. */
  readonly #prepared = new Map<string, SignatureKey>();

  /** Throws JOSEError for what is no set of keys. */
  constructor(document: unknown) {
    this.#set = createLocalJWKSet(document as JSONWebKeySet);
  }

  /** The key of a token, at once where it was used before. Rejects with JOSEError, or a `Denial` with 401. */
  find(hint: KeyHint): MaybePromise<SignatureKey> {
    return this.#prepared.get(nameOf(hint)) ?? this.#prepare(hint);
  }

  async #prepare(hint: KeyHint): Promise<SignatureKey> {
    const { algorithm: alg, kid } = hint;
    const key = signatureKeyOf(alg, await this.#set({ alg, ...(kid !== undefined && { kid }) }));
    this.#prepared.set(nameOf(hint), key);
    return key;
  }
}

function nameOf({ algorithm, kid = '' }: KeyHint): string {
  return `${algorithm} ${kid}`;
}

/** Finds the key of a token. */
export class IssuerKeys {
  #keys: KeySet | undefined;
  #url: string | undefined;
  #loadedAt = -Infinity;
  #failedAt = -Infinity;
  #loading: Promise<KeySet> | undefined;

  /** @param failed hears why keys could not be fetched */
  constructor(
    private readonly issuer: string,
    private readonly times: KeyTimes,
    private readonly failed: (error: unknown) => void,
  ) {}

  /**
   * The key that a token says it was signed with; at once where it is known, and is not too old.
   * @throws JOSEError for a key that the issuer does not have; a `Denial` with 401 for one that is too weak, with 503 where nothing
   *   can be known
   */
  find(hint: KeyHint): MaybePromise<SignatureKey> {
    if (!this.#keys) return this.#load().then((keys) => keys.find(hint));
    const age = Date.now() - this.#loadedAt;
    if (age > this.times.maxAge) unawaited(this.#load(), () => undefined);
    const found = this.#keys.find(hint);
    return isPromise(found) ? found.catch((error: unknown) => this.#findAgain(hint, error, age)) : found;
  }

  /** One fetch for all unknown keys of a cool-down: anybody can make up another one. */
  async #findAgain(hint: KeyHint, error: unknown, age: number): Promise<SignatureKey> {
    if (!(error instanceof errors.JWKSNoMatchingKey) || age < this.times.cooldown) throw error;
    return (await this.#load()).find(hint);
  }

  /** Fetches once for all who wait; where that failed just now, it is not tried again. */
  #load(): Promise<KeySet> {
    if (Date.now() - this.#failedAt < RETRY_AFTER * 1000)
      return Promise.reject(outOfReach('The keys of the issuer are'));
    return (this.#loading ??= this.#fetch().finally(() => (this.#loading = undefined)));
  }

  async #fetch(): Promise<KeySet> {
    try {
      this.#url ??= await findUrl(this.issuer, 'jwks_uri');
      const keys = new KeySet(await fetchJson(this.#url));
      this.#loadedAt = Date.now();
      return (this.#keys = keys);
    } catch (error) {
      this.#failedAt = Date.now();
      // The issuer may have moved them.
      this.#url = undefined;
      this.failed(error);
      throw outOfReach('The keys of the issuer are');
    }
  }
}
