/** What was found out about tokens before: a signature, and a question, cost far more than a digest. */
import { hash } from 'node:crypto';
import type { Clock } from '@sigil-mcp/core';

/** Remembers something of tokens by their digests, never by the tokens; and no longer than it is told. */
export class RememberedTokens<T> {
  /** Two generations: whoever is seen again moves up, and the older one goes as a whole, which costs nothing. */
  #young = new Map<string, KnownToken<T>>();
  #old = new Map<string, KnownToken<T>>();

  /** @param most how many are remembered; beyond it those go that were not seen lately */
  constructor(
    private readonly most: number,
    private readonly clock: Clock,
  ) {}

  /** What is known of a token; undefined for one that was not looked at, or not lately. */
  find(digest: string): T | undefined {
    const known = this.#young.get(digest) ?? this.#seenAgain(digest);
    return known && known.until > this.clock.now() ? known.fact : undefined;
  }

  /** Remembers something of a token, until a time in milliseconds since 1970. */
  add(digest: string, fact: T, until: number): void {
    this.#keep(digest, { fact, until });
  }

  #seenAgain(digest: string): KnownToken<T> | undefined {
    const known = this.#old.get(digest);
    if (known) this.#keep(digest, known);
    return known;
  }

  #keep(digest: string, known: KnownToken<T>): void {
    if (this.#young.size >= this.most / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    if (this.most > 0) this.#young.set(digest, known);
  }
}

interface KnownToken<T> {
  readonly fact: T;
  readonly until: number;
}

/** What a token is known by. */
export function digestOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
