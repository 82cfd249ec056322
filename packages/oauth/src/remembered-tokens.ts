/** The results for tokens that were checked before: a signature or a question to the issuer costs far more than a digest. */
import { hash } from 'node:crypto';
import type { Clock } from '@sigil-mcp/core';

/** Caches a fact about each token by its digest, never by the token, and no longer than the given time. */
export class RememberedTokens<T> {
  /** Two generations: a token that is used again moves to the younger one, and the older one is dropped as a whole, at no cost. */
  #young = new Map<string, CachedToken<T>>();
  #old = new Map<string, CachedToken<T>>();

  /** @param most how many are cached; beyond that, the least recently used are dropped */
  constructor(
    private readonly most: number,
    private readonly clock: Clock,
  ) {}

  /** The fact about a token; undefined for one that was not checked, or not recently. */
  find(digest: string): T | undefined {
    const known = this.#young.get(digest) ?? this.#seenAgain(digest);
    return known && known.until > this.clock.now() ? known.fact : undefined;
  }

  /** Caches a fact about a token, until a time in milliseconds since 1970. */
  add(digest: string, fact: T, until: number): void {
    this.#keep(digest, { fact, until });
  }

  #seenAgain(digest: string): CachedToken<T> | undefined {
    const known = this.#old.get(digest);
    if (known) this.#keep(digest, known);
    return known;
  }

  #keep(digest: string, known: CachedToken<T>): void {
    if (this.#young.size >= this.most / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    if (this.most > 0) this.#young.set(digest, known);
  }
}

interface CachedToken<T> {
  readonly fact: T;
  readonly until: number;
}

/** The digest that identifies a token. */
export function digestOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
