/**
 * The keys of one issuer. They are fetched for the first token, again for a token that none of them has signed, and periodically. Keys
 * that were fetched stay valid while the issuer cannot be reached.
 */
import type { Clock, MaybePromise } from '@sigil-mcp/core';
import { andThen, outsideRequests, unawaited } from '@sigil-mcp/core/internal';
import { fetchJson } from './fetch-json';
import { findUrl } from './issuer-metadata';
import { KeySet, type KeyHint, type SignatureKey } from './key-set';
import { badToken, outOfReach, RETRY_AFTER } from './claims';
import type { JwtIssuer } from './jwt-options';

/** When keys are fetched. */
export interface KeyTimes {
  /** Milliseconds between two fetches that unknown keys cause. */
  readonly cooldown: number;
  /** Milliseconds after which keys are fetched again, while the current ones stay in use. */
  readonly maxAge: number;
  readonly clock: Clock;
}

/** A token whose signature is to be checked. */
export interface CheckedToken extends KeyHint {
  /** Its `iss`. */
  readonly issuer: string;
  /** The digest that identifies it. */
  readonly digest: string;
  /** Whether it was signed with a key. */
  readonly isSignedWith: (key: SignatureKey) => boolean;
}

/** Unknown keys that are remembered during a cool-down, until the next fetch. Limited, because any client can make up more. */
const MOST_WANTED = 1000;

/** Checks signatures. */
export class IssuerKeys {
  #keys: KeySet | undefined;
  #url: string | undefined;
  #loadedAt = -Infinity;
  #failedAt = -Infinity;
  #loading: Promise<KeySet> | undefined;
  /** Several requests wait for one fetch. */
  readonly #outside = outsideRequests();
  /** Unknown keys that tokens have named since the last fetch. */
  #wanted = new Set<string>();
  /** Keys that were wanted at the last fetch, and that it did not bring. */
  #missing: ReadonlySet<string> = new Set();

  /** @param failed is called with the error if keys could not be fetched */
  constructor(
    private readonly issuer: JwtIssuer,
    private readonly times: KeyTimes,
    private readonly failed: (error: unknown) => void,
  ) {
    const { keys } = issuer;
    if (typeof keys === 'object') this.#keys = new KeySet(keys);
  }

  /** Whether the keys are those that the author has given, which nothing replaces. */
  get #isFixed(): boolean {
    return typeof this.issuer.keys === 'object';
  }

  /**
   * Checks that a token was signed with one of the keys; synchronously if they are known and not too old.
   * @throws Denial with 401 for a token that was not, with 503 if that cannot be checked now; JOSEError for keys that cannot be used
   */
  check(token: CheckedToken): MaybePromise<void> {
    if (!this.#keys) return this.#lookFor(token);
    if (this.#age > this.times.maxAge && !this.#isFixed) unawaited(this.#load(), () => undefined);
    const keys = this.#keys;
    const isNamed = this.#isFixed || keys.hasName(token.kid);
    return andThen(keys.find(token), (found) => {
      if (found.some(token.isSignedWith)) return this.#checkMember(keys, token);
      // The named key exists, but did not sign the token, or not with this algorithm.
      if (isNamed) throw found.length > 0 ? wrongSignature() : unknownKey();
      return this.#checkAgain(token);
    });
  }

  get #age(): number {
    return this.times.clock.elapsed() - this.#loadedAt;
  }

  /** Fetches once per cool-down for all unknown keys. A key that was not looked for since may be new, so the answer is not final. */
  #checkAgain(token: CheckedToken): MaybePromise<void> {
    const left = this.times.cooldown - this.#age;
    if (left <= 0) return this.#lookFor(token);
    const name = nameOf(token);
    if (this.#missing.has(name)) throw unknownKey();
    this.#want(name);
    throw outOfReach('The key that the token was signed with is', Math.ceil(left / 1000));
  }

  async #lookFor(token: CheckedToken): Promise<void> {
    this.#want(nameOf(token));
    const keys = await this.#load();
    const found = await keys.find(token);
    if (found.some(token.isSignedWith)) return this.#checkMember(keys, token);
    throw found.length > 0 ? wrongSignature() : unknownKey();
  }

  /** Some keys of a family are those of one member: a token of another one that they have signed is not valid. */
  #checkMember(keys: KeySet, { kid, issuer }: CheckedToken): void {
    const { url } = this.issuer;
    if (url === issuer) return;
    const owner = keys.issuerOf(kid);
    if (owner !== undefined && owner !== url && owner !== issuer) throw unknownKey();
  }

  #want(name: string): void {
    if (this.#wanted.size < MOST_WANTED) this.#wanted.add(name);
  }

  /** Fetches once for all pending tokens; after a failure, it does not try again for some seconds. */
  #load(): Promise<KeySet> {
    if (this.times.clock.elapsed() - this.#failedAt < RETRY_AFTER * 1000)
      return Promise.reject(outOfReach('The keys of the issuer are'));
    return (this.#loading ??= this.#outside(() => this.#fetch()).finally(() => (this.#loading = undefined)));
  }

  async #findUrl(): Promise<string> {
    const { url, metadata, keys } = this.issuer;
    return typeof keys === 'string' ? keys : findUrl(url, 'jwks_uri', metadata);
  }

  async #fetch(): Promise<KeySet> {
    try {
      this.#url ??= await this.#findUrl();
      const keys = new KeySet(await fetchJson(this.#url));
      this.#loadedAt = this.times.clock.elapsed();
      this.#missing = this.#wanted;
      this.#wanted = new Set();
      return (this.#keys = keys);
    } catch (error) {
      this.#failedAt = this.times.clock.elapsed();
      // The issuer may have moved its keys.
      this.#url = undefined;
      this.failed(error);
      throw outOfReach('The keys of the issuer are');
    }
  }
}

/** What is looked for: a key by its name, or, for a token that names no key, the key that signed this token. */
function nameOf({ algorithm, kid, digest }: CheckedToken): string {
  return kid === undefined ? `signed ${digest}` : `${algorithm} ${kid}`;
}

function wrongSignature(): Error {
  return badToken('has an invalid signature');
}

function unknownKey(): Error {
  return badToken('is signed with a key that its issuer does not have');
}
