/** Clients in the same process, for tests and for embedding: what travels is text, as on any other transport. */
import type { Exchange } from '../calls/conversation';
import { ANONYMOUS } from '../context/caller';
import { endedCall, type EndedCall } from '../errors/failures';
import { sigilError } from '../errors/catalogue';
import { DuplexChannel } from './duplex-channel';
import { settleWithin } from '@sigil-mcp/base';
import type { Transport, TransportHost } from './transport';

/** One client's end of the pipe. */
export interface MemoryPipe {
  /** Hands one message, or anything else a client may send by mistake, to the server. */
  send(text: string): void;
  /** Takes nothing more; what still runs is cancelled. */
  close(): void;
}

/**
 * Serves any number of clients in the same process, each with a conversation of its own.
 * @example
 * const transport = new MemoryTransport();
 * await server.listen(transport);
 * const pipe = transport.connect((text) => console.error(text));
 */
export class MemoryTransport implements Transport {
  readonly #channels = new Set<DuplexChannel>();
  #host: TransportHost | undefined;

  open(host: TransportHost): Promise<void> {
    this.#host = host;
    return Promise.resolve();
  }

  /**
   * Opens a pipe. Throws an `Error` if the transport is not open: before `server.listen(transport)`, and once it was closed.
   * @param receive called with each message of the server
   * @param access the caller at the other end, as guards and handlers see it; anonymous if left out
   */
  connect(receive: (text: string) => void, access: Partial<Pick<Exchange, 'headers' | 'caller'>> = {}): MemoryPipe {
    if (!this.#host) throw sigilError('SIGIL_MEMORY_NOT_OPEN');
    const { headers = {}, caller = ANONYMOUS } = access;
    const channel = new DuplexChannel(this.#host.kernel, receive, { headers, caller });
    this.#channels.add(channel);
    return {
      send: (text) => {
        if (this.#channels.has(channel)) channel.receive(text);
      },
      close: () => this.#drop(channel, endedCall('SIGIL_CLIENT_GONE')),
    };
  }

  async close(): Promise<void> {
    const open = [...this.#channels];
    const { shutdownDeadline = 0, clock } = this.#host ?? {};
    await settleWithin(shutdownDeadline, Promise.all(open.map((channel) => channel.drain())), clock);
    for (const channel of open) this.#drop(channel, endedCall('SIGIL_SHUTTING_DOWN'));
    this.#host = undefined;
  }

  #drop(channel: DuplexChannel, reason: EndedCall): void {
    if (this.#channels.delete(channel)) channel.close(reason);
  }
}
