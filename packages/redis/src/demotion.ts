/**
 * Detects a connection to the wrong server: its master was demoted while the connection stayed open, as behind a virtual address or a
 * host name that now resolves to another server. Such a server refuses all writes; a new connection finds the new master.
 */
import type { Clock } from '@sigil-mcp/core';
import { outsideRequests } from '@sigil-mcp/core/adapter';
import type { RedisConnection } from './clients/redis-connection';

/** The errors of a replica for writes, and of a replica without a master for reads. */
const DEMOTED = /\b(?:READONLY|MASTERDOWN)\b/;
/** The error of a server that is still loading its data; a server that loads for long may not be the right one any more. */
const LOADING = /^LOADING\b/;

/** Milliseconds that a server may take to load. */
const LONGEST_LOADING = 10_000;
/** Milliseconds between two connections: the name may resolve to the old master for a while. */
const PAUSE = 1000;

/** Examines the errors of commands, and renews the connection if necessary. */
export class Demotion {
  #renewedAt = Number.NEGATIVE_INFINITY;
  #loadingSince: number | undefined;
  readonly #outside = outsideRequests();

  constructor(
    private readonly connection: RedisConnection,
    private readonly clock: Clock,
  ) {}

  /** A command succeeded. */
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
    // The new connection serves all requests.
    this.#outside(() => this.connection.renew());
  }

  #isLoadingForLong(message: string): boolean {
    if (!LOADING.test(message)) return false;
    const now = this.clock.elapsed();
    this.#loadingSince ??= now;
    return now - this.#loadingSince >= LONGEST_LOADING;
  }
}
