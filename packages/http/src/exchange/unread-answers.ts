/** Answers that were sent and wait to be read: they take memory, so clients with too many of them receive no more. */
import { Budget, settleWithin, type Account } from '@sigil-mcp/core/adapter';
import type { ResolvedEndpointLimits } from '../options/endpoint-limits';
import { busy } from '../refusals/refusal';
import type { HttpCall } from '../call';

/** Counts the bytes that wait in the responses of one endpoint. */
export class UnreadAnswers {
  readonly #waiting = new Budget<Reader>();
  /** The responses that wait, the longest waiting first. */
  readonly #held = new Set<HttpCall>();

  /** Ends the count of what waits, when nothing waits any more. */
  readonly stopCounting: () => void;

  constructor(
    private readonly limits: Pick<ResolvedEndpointLimits, 'unread' | 'unreadPerClient'>,
    private readonly account: Account,
  ) {
    this.stopCounting = account.meter('unread', () => this.size);
  }

  /** The bytes that wait, for all clients. */
  get size(): number {
    return this.#waiting.all;
  }

  /**
   * Counts the rest of a response, until it is sent or its client has disconnected. If too much waits, the responses that have waited
   * longest are aborted.
   * @param bytes that wait now
   */
  hold(call: HttpCall, bytes: number): void {
    if (bytes === 0) return;
    const { request } = call;
    const giveBack = this.#waiting.take(readerOf(call), bytes);
    this.#held.add(call);
    request.onClosed(() => {
      this.#held.delete(call);
      giveBack();
    });
    for (const oldest of this.#held) {
      if (oldest === call || (this.#waiting.all <= this.limits.unread && !this.account.isExceeded)) return;
      oldest.abortedBy = 'limits.unread';
      oldest.request.abort();
    }
  }

  /** Refuses with 503 a client that does not read its answers. */
  check(call: HttpCall): void {
    const { unreadPerClient } = this.limits;
    if (this.#waiting.all > unreadPerClient && this.#waiting.of(readerOf(call)) > unreadPerClient)
      throw busy(
        `More than ${unreadPerClient} bytes of answers wait for you to read them (limits.unreadPerClient).`,
        'limits.unreadPerClient',
      );
  }

  /**
   * Resolves when everything that waits now was sent, or its client has disconnected. Node treats a connection as idle as soon as its
   * response was ended, and would close it before all bytes are sent.
   * @param patience milliseconds after which it resolves anyway
   */
  async sent(patience: number): Promise<void> {
    const ends = [...this.#held].map(({ request }) => new Promise<void>((resolve) => void request.onClosed(resolve)));
    await settleWithin(patience, Promise.all(ends));
  }
}

/** A principal, else a session, else a connection: other clients behind the same address may read their answers. */
type Reader = string | object;

function readerOf({ caller: { principal }, request }: HttpCall): Reader {
  if (principal !== undefined) return `principal ${principal}`;
  const session = request.headers['mcp-session-id'];
  return typeof session === 'string' ? `session ${session}` : request.connection;
}
