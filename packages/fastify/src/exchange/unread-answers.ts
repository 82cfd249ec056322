/** Answers that were given and wait for their readers: they are kept, so whoever has too many of them gets no more. */
import type { KnownEndpointLimits } from '../options/endpoint-limits';
import { busy } from '../refusals/refusal';
import type { Connections } from '../streams/connections';
import { clientOf } from './client-loads';
import type { HttpCall } from './http-exchange';

/** Counts what waits in the responses of one endpoint. */
export class UnreadAnswers {
  #all = 0;
  readonly #clients = new Map<string, number>();

  constructor(
    private readonly limits: Pick<KnownEndpointLimits, 'unread' | 'unreadPerClient'>,
    private readonly connections: Connections,
  ) {}

  /** Bytes that wait, of all clients. */
  get size(): number {
    return this.#all;
  }

  /** Counts what is left of a response that was just ended, until it is sent or its client is gone. */
  hold(call: HttpCall): void {
    const { reply } = call;
    const bytes = reply.raw.writableLength;
    if (bytes === 0) return;
    const client = clientOf(call);
    this.#count(client, bytes);
    this.connections.onEnd(reply, () => this.#count(client, -bytes));
  }

  /** Refuses with 503 a client that does not read its answers, and any where others have not read too many. */
  check(call: HttpCall): void {
    if (this.#all === 0) return;
    const { unread, unreadPerClient } = this.limits;
    if ((this.#clients.get(clientOf(call)) ?? 0) > unreadPerClient)
      throw busy(`More than ${unreadPerClient} bytes of answers wait for you to read them (limits.unreadPerClient).`);
    if (this.#all > unread) throw busy(`More than ${unread} bytes of answers wait for slow readers (limits.unread).`);
  }

  #count(client: string, bytes: number): void {
    this.#all += bytes;
    const left = (this.#clients.get(client) ?? 0) + bytes;
    if (left > 0) this.#clients.set(client, left);
    else this.#clients.delete(client);
  }
}
