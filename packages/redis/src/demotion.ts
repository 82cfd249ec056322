/**
 * A connection that leads to the wrong server: its master was demoted while the connection stayed, as behind a virtual address or a name
 * that leads elsewhere now. It would refuse all that is written, for ever; another connection finds the new master.
 */
import type { Clock } from '@sigil-mcp/core';
import type { RedisConnection } from './clients/redis-connection';

/** What a replica says to those who write, and one that has lost its master to those who read. */
const DEMOTED = /\b(?:READONLY|MASTERDOWN)\b/;
/** What a server says until it has read its data; one that goes on with it for long may not be the one that is meant any more. */
const LOADING = /^LOADING\b/;

/** Milliseconds that a server may load. */
const LONGEST_LOADING = 10_000;
/** Milliseconds between two connections: the name may lead to the old master for a while. */
const PAUSE = 1000;

/** Looks at what commands fail with, and renews the connection where it has to be. */
export class Demotion {
  #renewedAt = Number.NEGATIVE_INFINITY;
  #loadingSince: number | undefined;

  constructor(
    private readonly connection: RedisConnection,
    private readonly clock: Clock,
  ) {}

  /** A command was answered. */
  over(): void {
    this.#loadingSince = undefined;
  }

  /** A command has failed. */
  look(error: unknown): void {
    const message = error instanceof Error ? error.message : '';
    if (!DEMOTED.test(message) && !this.#isLoadingForLong(message)) return;
    const now = this.clock.elapsed();
    if (now - this.#renewedAt < PAUSE) return;
    this.#renewedAt = now;
    this.#loadingSince = undefined;
    this.connection.renew();
  }

  #isLoadingForLong(message: string): boolean {
    if (!LOADING.test(message)) return false;
    const now = this.clock.elapsed();
    this.#loadingSince ??= now;
    return now - this.#loadingSince >= LONGEST_LOADING;
  }
}
