/** Tokens that were verified before: a signature costs far more than a digest. */
import { hash } from 'node:crypto';
import type { Caller } from '@sigil-mcp/core';

/** Remembers callers by the digests of their tokens, never by the tokens; and no longer than they are told. */
export class VerifiedTokens {
  /** Two generations: whoever is seen again moves up, and the older one goes as a whole, which costs nothing. */
  #young = new Map<string, KnownToken>();
  #old = new Map<string, KnownToken>();

  /** @param most how many are remembered; beyond it those go that were not seen lately */
  constructor(private readonly most: number) {}

  /** Whose token it is; undefined for one that was not verified, or not lately. */
  find(digest: string): Caller | undefined {
    const known = this.#young.get(digest) ?? this.#seenAgain(digest);
    return known && known.until > Date.now() ? known.caller : undefined;
  }

  /** Remembers whose token it is, until a time in milliseconds since 1970. */
  add(digest: string, caller: Caller, until: number): void {
    this.#keep(digest, { caller, until });
  }

  #seenAgain(digest: string): KnownToken | undefined {
    const known = this.#old.get(digest);
    if (known) this.#keep(digest, known);
    return known;
  }

  #keep(digest: string, known: KnownToken): void {
    if (this.#young.size >= this.most / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    if (this.most > 0) this.#young.set(digest, known);
  }
}

interface KnownToken {
  readonly caller: Caller;
  readonly until: number;
}

/** What a token is known by. */
export function digestOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
