/** Answers that were given and wait for their readers: they are kept, so whoever has too many of them gets no more. */
import type { KnownEndpointLimits } from '../options/endpoint-limits';
import { busy } from '../refusals/refusal';
import type { Socket } from 'node:net';
import type { Connections } from '../streams/connections';
import type { HttpCall } from './http-exchange';

/** Counts what waits in the responses of one endpoint. */
export class UnreadAnswers {
  #all = 0;
  readonly #readers = new Map<Reader, number>();

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
    const reader = readerOf(call);
    this.#count(reader, bytes);
    this.connections.onEnd(reply, () => this.#count(reader, -bytes));
  }

  /** Refuses with 503 a client that does not read its answers, and any where others have not read too many. */
  check(call: HttpCall): void {
    if (this.#all === 0) return;
    const { unread, unreadPerClient } = this.limits;
    if ((this.#readers.get(readerOf(call)) ?? 0) > unreadPerClient)
      throw busy(`More than ${unreadPerClient} bytes of answers wait for you to read them (limits.unreadPerClient).`);
    if (this.#all > unread) throw busy(`More than ${unread} bytes of answers wait for slow readers (limits.unread).`);
  }

  #count(reader: Reader, bytes: number): void {
    this.#all += bytes;
    const left = (this.#readers.get(reader) ?? 0) + bytes;
    if (left > 0) this.#readers.set(reader, left);
    else this.#readers.delete(reader);
  }
}

/** A user, where one is known; else a connection: the others behind the same address may well read. */
type Reader = string | Socket;

function readerOf({ user, request }: HttpCall): Reader {
  return user ? user.id : request.raw.socket;
}
