/**
 * How long an endpoint waits for `verify`. What asks a database or another server may hang, and every request of everybody with it: who waits
 * for too long is told to come back, as where an issuer is out of reach.
 */
import { Denial, type Caller, type Logger } from '@sigil-mcp/core';
import { sigilError, type Clock } from '@sigil-mcp/core/adapter';
import type { IncomingMessage } from 'node:http';

type Found = Caller | undefined;

/** Seconds after which a client may try again, and in which the log is told once. */
const RETRY_AFTER = 5;

/** No timer of the platform goes on for longer: 24 days. */
const LONGEST = 2 ** 31 - 1;

/** The deadline of one endpoint. */
export class VerifyDeadline {
  #toldAt = -Infinity;

  /** @param milliseconds for each token; `Infinity` for any time */
  constructor(
    private readonly milliseconds: number,
    private readonly logger: Pick<Logger, 'warn'>,
    readonly clock: Clock,
  ) {}

  /**
   * Gives what is found out in time. Rejects with a `Denial` with 503 for what is not, and settles never for a client that has left: then
   * nobody wants to know.
   */
  of(found: Promise<Found>, request: IncomingMessage): Promise<Found> {
    if (this.milliseconds > LONGEST) return found;
    return new Promise((resolve, reject) => {
      const wait = new Wait(this.clock, { resolve, reject });
      wait.begin(request, this.milliseconds, () => this.#late());
      follow(found, wait);
    });
  }

  #late(): Denial {
    const { milliseconds } = this;
    const now = this.clock.elapsed();
    if (now - this.#toldAt >= RETRY_AFTER * 1000) {
      this.#toldAt = now;
      const err = sigilError('SIGIL_AUTH_LATE', { milliseconds });
      this.logger.warn({ err }, 'Whether a token is good was not known in time');
    }
    const options = { error: 'internal-error', status: 503, retryAfter: RETRY_AFTER } as const;
    return new Denial('Whether the token is good is not known yet. Try again later.', options);
  }
}

interface Settle {
  readonly resolve: (found: Found) => void;
  readonly reject: (error: unknown) => void;
}

/** One request that waits. A promise that never settles keeps hold of this, and of nothing behind it once the wait is over. */
class Wait {
  #settle: Settle | undefined;
  #forget: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    settle: Settle,
  ) {
    this.#settle = settle;
  }

  /** Waits no longer than a time in milliseconds, which ends with an error, and than the client of a request does. */
  begin(request: IncomingMessage, milliseconds: number, late: () => Error): void {
    const timer = this.clock.after(milliseconds, () => this.reject(late()));
    const leave = (): void => void this.#end();
    request.once('close', leave);
    this.#forget = () => {
      timer.close();
      request.off('close', leave);
    };
  }

  resolve(found: Found): void {
    this.#end()?.resolve(found);
  }

  reject(error: unknown): void {
    this.#end()?.reject(error);
  }

  #end(): Settle | undefined {
    const settle = this.#settle;
    this.#forget?.();
    this.#settle = this.#forget = undefined;
    return settle;
  }
}

function follow(found: Promise<Found>, wait: Wait): void {
  found.then(
    (caller) => wait.resolve(caller),
    (error: unknown) => wait.reject(error),
  );
}
