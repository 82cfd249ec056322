/**
 * The moment between the last progress of a call and its result. Official clients handle a result at once, forget then who listens to the
 * progress of its call, and handle a notification a little later: of those that they read together with the result nobody would hear.
 */
import type { InboundRequest } from '@sigil-mcp/protocol';
import { andThen, isObject, type Clock, type MaybePromise } from '@sigil-mcp/base';
import type { Exchange } from '../calls/exchange';

/**
 * Milliseconds that a client has to read a notification before the result follows. Nothing tells a server what its client has read, so this
 * is a matter of how busy the client is: a turn of the event loop is too short even for an idle one.
 */
const LEAD = 10;

/**
 * The lead of what a request reports over its answer; undefined if its client has not asked for its progress.
 * @param exchange of the pipe. Both ends of one inside a process see each message as it is sent, and wait for nothing
 */
export function leadOf(request: InboundRequest, exchange: Exchange, clock: Clock): LeadOfProgress | undefined {
  return exchange.network && wantsProgress(request) ? new LeadOfProgress(exchange, clock) : undefined;
}

/** One request whose client has asked for its progress. */
class LeadOfProgress {
  /** The exchange of the request: it notes when a notification was sent. */
  readonly exchange: Exchange;
  /** When the output has taken the last notification. */
  #takenAt = -Infinity;
  /** Resolves when it has. */
  #taken: MaybePromise<void> = undefined;

  constructor(
    exchange: Exchange,
    private readonly clock: Clock,
  ) {
    const notify = (text: string): MaybePromise<void> => {
      const taken = exchange.notify(text);
      this.#taken = andThen(taken, () => void (this.#takenAt = clock.elapsed()));
      return taken;
    };
    this.exchange = { ...exchange, notify };
  }

  /** Gives the answer; later, if a notification was sent just before. */
  after<T>(answer: MaybePromise<T>): MaybePromise<T> {
    return andThen(answer, (given) =>
      andThen(this.#taken, () => {
        const passed = this.clock.elapsed() - this.#takenAt;
        return passed < LEAD ? this.#late(given, LEAD - passed) : given;
      }),
    );
  }

  #late<T>(answer: T, milliseconds: number): Promise<T> {
    return new Promise((resolve) => {
      // A loop that was blocked so long has not written the notification yet; it does so at the end of this turn.
      this.clock.after(milliseconds, () => setImmediate(() => resolve(answer)));
    });
  }
}

/** Whether the client of a request has asked for its progress. */
function wantsProgress({ params }: InboundRequest): boolean {
  const meta = params?.['_meta'];
  return isObject(meta) && meta['progressToken'] !== undefined;
}
