/** The exchanges of an endpoint: those whose answer is not there yet, and answers that were sent and wait to be read. */
import { Budget, settleWithin, type Account, type Network, type RunningCalls } from '@sigil-mcp/core/adapter';
import { clientOf, type HttpCall } from './call';
import type { ResolvedEndpointLimits } from './options/endpoint-options';
import { busy } from './responses';

/** The connection of every message over HTTP, for observers. */
export const OVER_HTTP: Network = { transport: 'tcp', protocol: 'http' };

/** The exchanges whose answer is not there yet. */
export class RunningExchanges {
  readonly #open = new Set<{ readonly running: RunningCalls; readonly done: Promise<unknown> }>();
  #closedBy: Error | undefined;

  /** Whether an exchange is running. */
  get areRunning(): boolean {
    return this.#open.size > 0;
  }

  /** Why everything was cancelled; undefined if it was not. */
  get closedBy(): Error | undefined {
    return this.#closedBy;
  }

  /**
   * An exchange has begun.
   * @param done settles with its answer
   * @returns what ends it
   */
  begin(running: RunningCalls, done: Promise<unknown>): () => void {
    const exchange = { running, done };
    this.#open.add(exchange);
    return () => this.#open.delete(exchange);
  }

  /** Resolves when no exchange is running, including exchanges that start meanwhile. */
  async drain(): Promise<void> {
    while (this.areRunning) await Promise.allSettled([...this.#open].map(({ done }) => done));
  }

  /** Cancels everything that is still running. */
  cancelAll(reason: Error): void {
    this.#closedBy = reason;
    for (const { running } of this.#open) running.cancelAll(() => reason);
  }
}

/** A response that waits. */
interface PendingResponse {
  readonly call: HttpCall;
  readonly client: string;
  readonly giveBack: () => void;
}

/** Counts the bytes that wait in the responses of one endpoint: they take memory, so clients with too many of them receive no more. */
export class UnreadAnswers {
  readonly #waiting = new Budget<Reader>();
  /** The same bytes by client, which may have many connections. */
  readonly #clients = new Budget<string>();
  /** The responses that wait, the longest waiting first. */
  readonly #held = new Set<PendingResponse>();

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
   * Counts the rest of a response, until it is sent or its client has disconnected. If too much waits, responses of the client with most of
   * them are aborted, the longest waiting first.
   * @param bytes that wait now
   */
  hold(call: HttpCall, bytes: number): void {
    if (bytes === 0) return;
    const waiting = this.#add(call, bytes);
    call.request.onClosed(waiting.giveBack);
    while (this.#waiting.all > this.limits.unread || this.account.isExceeded) {
      const worst = this.#worstBut(waiting);
      if (!worst) return;
      worst.call.abortedBy = 'limits.unread';
      // Its connection closes later, and no more than needed is to be aborted until then.
      worst.giveBack();
      worst.call.request.abort();
    }
  }

  #add(call: HttpCall, bytes: number): PendingResponse {
    const client = clientOf(call, this.account);
    const ends = [this.#waiting.take(readerOf(call), bytes), this.#clients.take(client, bytes)];
    const giveBack = (): void => {
      this.#held.delete(waiting);
      ends.forEach((end) => end());
    };
    const waiting: PendingResponse = { call, client, giveBack };
    this.#held.add(waiting);
    return waiting;
  }

  /** The longest waiting response of the client with the most bytes, except the newest response of all. */
  #worstBut(newest: PendingResponse): PendingResponse | undefined {
    let worst: PendingResponse | undefined;
    for (const each of this.#held)
      if (each !== newest && this.#clients.of(each.client) > this.#clients.of(worst?.client ?? '')) worst = each;
    return worst;
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
    const ends = [...this.#held].map(
      ({ call: { request } }) => new Promise<void>((resolve) => void request.onClosed(resolve)),
    );
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
