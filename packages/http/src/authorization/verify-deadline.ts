/**
 * The time limit for `verify`, and for `identify` of a program around the endpoint. What asks a database or another server may hang, and
 * all requests with it: a client that waits too long receives a 503 with a retry time, as if an issuer is unreachable.
 */
import { Denial, type Logger } from '@sigil-mcp/core';
import { Deadline, type Clock } from '@sigil-mcp/core/adapter';
import type { HttpRequest } from '../port';
import { httpError } from '../errors';

/** Seconds after which a client may try again, and in which the log has one entry. */
const RETRY_AFTER = 5;

/** The deadline of one endpoint. */
export class VerifyDeadline {
  #toldAt = -Infinity;

  /** @param milliseconds for each request; `Infinity` for no limit */
  constructor(
    private readonly milliseconds: number,
    private readonly logger: Pick<Logger, 'warn'>,
    readonly clock: Clock,
  ) {}

  /**
   * Resolves with a result in time. Rejects with a `Denial` with 503 otherwise, and never settles for a client that has
   * disconnected: no code waits for the result then.
   */
  of<T>(found: Promise<T>, request: HttpRequest): Promise<T> {
    const deadline = new Deadline(this.clock, this.milliseconds);
    const raced = deadline.race(found, () => this.#late());
    const stopListening = request.onClosed(() => deadline.abandon());
    return raced.finally(stopListening);
  }

  #late(): Denial {
    const { milliseconds } = this;
    const now = this.clock.elapsed();
    if (now - this.#toldAt >= RETRY_AFTER * 1000) {
      this.#toldAt = now;
      const err = httpError('SIGIL_AUTH_LATE', { milliseconds });
      this.logger.warn({ err }, 'A caller was not identified in time');
    }
    return new Denial('The caller was not identified in time. Try again later.', {
      error: 'internal-error',
      status: 503,
      retryAfter: RETRY_AFTER,
      limit: 'limits.verifyTimeout',
    });
  }
}
