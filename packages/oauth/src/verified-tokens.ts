/** Tokens that were verified before: a signature costs far more than a digest. */
import { createHash } from 'node:crypto';
import type { Caller } from '@sigil-mcp/core';

/** Milliseconds after which a token is verified again, though it lives on: its key may have been withdrawn. */
const LONGEST = 5 * 60_000;

/** Remembers callers by the digests of their tokens, never by the tokens; and no longer than the tokens live. */
export class VerifiedTokens {
  readonly #known = new Map<string, { readonly caller: Caller; readonly until: number }>();

  /** @param most how many are remembered; beyond it the oldest go */
  constructor(private readonly most: number) {}

  get size(): number {
    return this.#known.size;
  }

  /** Whose token it is; undefined for one that was not verified, or not lately. */
  find(digest: string): Caller | undefined {
    const found = this.#known.get(digest);
    if (!found) return undefined;
    if (found.until > Date.now()) return found.caller;
    this.#known.delete(digest);
    return undefined;
  }

  /** Remembers whose token it is. */
  add(digest: string, caller: Caller): void {
    const until = Math.min(caller.expiresAt ?? 0, Date.now() + LONGEST);
    this.#known.delete(digest);
    this.#known.set(digest, { caller, until });
    if (this.#known.size <= this.most) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

/** What a token is known by. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
