/**
 * The keys of one issuer. They are fetched when the first token comes, again for a key that is not known, and now and then; keys that
 * were fetched stay good while the issuer cannot be reached.
 */
import { unawaited } from '@sigil-mcp/core/adapter';
import {
  createLocalJWKSet,
  errors,
  type CryptoKey,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';
import { fetchJson } from './fetch-json';
import { findKeys } from './issuer-metadata';
import { keysOutOfReach, RETRY_AFTER } from './refusals';

/** When keys are fetched. */
export interface KeyTimes {
  /** Milliseconds between two fetches that unknown keys cause. */
  readonly cooldown: number;
  /** Milliseconds after which keys are fetched again, while those that are there are used. */
  readonly maxAge: number;
}

type LocalKeys = ReturnType<typeof createLocalJWKSet>;

/** Finds the key of a token. */
export class IssuerKeys {
  #keys: LocalKeys | undefined;
  #url: string | undefined;
  #loadedAt = -Infinity;
  #failedAt = -Infinity;
  #loading: Promise<LocalKeys> | undefined;

  /** @param failed hears why keys could not be fetched */
  constructor(
    private readonly issuer: string,
    private readonly times: KeyTimes,
    private readonly failed: (error: unknown) => void,
  ) {}

  /**
   * The key that a token says it was signed with.
   * @throws JOSEError for a key that the issuer does not have; a `Denial` with 503 where that cannot be known
   */
  readonly find = async (header: JWSHeaderParameters, input: FlattenedJWSInput): Promise<CryptoKey> => {
    const keys = this.#keys ?? (await this.#load());
    const age = Date.now() - this.#loadedAt;
    if (age > this.times.maxAge) unawaited(this.#load(), () => undefined);
    try {
      return await keys(header, input);
    } catch (error) {
      // One fetch for all unknown keys of a cool-down: anybody can make up another one.
      if (!(error instanceof errors.JWKSNoMatchingKey) || age < this.times.cooldown) throw error;
      return (await this.#load())(header, input);
    }
  };

  /** Fetches once for all who wait; where that failed just now, it is not tried again. */
  #load(): Promise<LocalKeys> {
    if (Date.now() - this.#failedAt < RETRY_AFTER * 1000) return Promise.reject(keysOutOfReach());
    return (this.#loading ??= this.#fetch().finally(() => (this.#loading = undefined)));
  }

  async #fetch(): Promise<LocalKeys> {
    try {
      this.#url ??= await findKeys(this.issuer);
      // What is no set of keys is refused by the reader of it.
      const keys = createLocalJWKSet((await fetchJson(this.#url)) as JSONWebKeySet);
      this.#loadedAt = Date.now();
      return (this.#keys = keys);
    } catch (error) {
      this.#failedAt = Date.now();
      // The issuer may have moved them.
      this.#url = undefined;
      this.failed(error);
      throw keysOutOfReach();
    }
  }
}
