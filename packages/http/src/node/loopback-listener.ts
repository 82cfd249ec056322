/**
 * The other address of `localhost`. The name stands for 127.0.0.1 and ::1, and a server listens on one of them: connections to the
 * other one are taken here and handed to that server, which then knows, tells and closes them like its own. (Fastify would open a
 * second server, whose connections nobody waits for.)
 */
import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';
import type { Logger } from '@sigil-mcp/core';

const OTHER: Readonly<Record<string, string>> = { '127.0.0.1': '::1', '::1': '127.0.0.1' };

/** What the server itself is to listen on: one address of `localhost`, any other host as it is. */
export async function firstAddressOf(host: string): Promise<string> {
  return host === 'localhost' ? (await lookup(host)).address : host;
}

/** Takes the connections to one more address of a server. */
export class LoopbackListener {
  readonly #listener: NetServer;

  private constructor(server: Server) {
    // As HTTP servers of Node make their own sockets.
    this.#listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    );
  }

  /**
   * Listens on the other address of `localhost`, at the port of a server that listens on one of them.
   * @returns undefined where the machine has no other address, or another program has that port there
   */
  static async open(server: Server, logger: Logger): Promise<LoopbackListener | undefined> {
    // The server listens on a port, and not on a socket of the file system.
    const { address, port } = server.address() as AddressInfo;
    const host = OTHER[address];
    if (host === undefined) return undefined;
    const opened = new LoopbackListener(server);
    const failure = await opened.#listen(host, port);
    if (failure?.code === 'EADDRINUSE')
      logger.warn({ address: host, port }, 'Another program listens there: clients of localhost may reach that one.');
    if (failure) return undefined;
    opened.#listener.on('error', (error) => server.emit('error', error));
    return opened;
  }

  /** Takes no more connections from now on. @returns when those that it took are over */
  close(): Promise<void> {
    return new Promise((resolve) => this.#listener.close(() => resolve()));
  }

  /** Resolves with what went wrong. */
  #listen(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
    return new Promise((resolve) => {
      this.#listener.once('error', resolve).listen({ host, port }, () => {
        this.#listener.off('error', resolve);
        resolve(undefined);
      });
    });
  }
}
