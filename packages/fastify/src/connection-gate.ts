/**
 * Refuses connections beyond the limits, before anything is read. What a client sends is counted from the first large body on; a connection on
 * which nothing comes, or nothing whole, is counted here alone.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '@sigil-mcp/core';
import type { Clock } from '@sigil-mcp/core/adapter';
import { networkOf, readAddress } from '@sigil-mcp/core/internal';
import { busy, type Refusal } from '@sigil-mcp/http/adapter';
import { answerUnread } from '@sigil-mcp/http/node-adapter';
import { httpError } from './errors';
import type { ConnectionLimits } from './options/connection-limits';

/** What the gate works with. */
export interface ConnectionGateServices {
  readonly limits: Required<ConnectionLimits>;
  /** Whether an address is that of a proxy: its connections are those of any number of clients. */
  readonly isProxy: (address: string) => boolean;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Receives each connection that is refused. */
  readonly report: (refusal: Refusal, address: string | undefined) => void;
}

/** Refused connections that are answered at the same time: further ones are closed without an answer. */
const MOST_ANSWERED = 100;
/** Milliseconds in which the log has one entry. */
const BETWEEN_ENTRIES = 5000;

/** Counts the connections of a server. */
export class ConnectionGate {
  readonly #byAddress = new Map<string, number>();
  #all = 0;
  #answered = 0;
  #toldAt = -Infinity;

  constructor(
    server: Server,
    private readonly services: ConnectionGateServices,
  ) {
    // Node reads what its own listener is given, and would run the requests of a connection that is refused.
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (this.#admit(socket)) for (const listener of listeners) Reflect.apply(listener, server, [socket]);
    });
  }

  #admit(socket: Socket): boolean {
    const { limits, isProxy } = this.services;
    const address = readAddress(socket.remoteAddress ?? '');
    const client = address === '' || isProxy(address) ? undefined : networkOf(address);
    const own = this.#connectionsOf(client);
    if (own >= limits.perAddress) return this.#refuse('perAddress', address, socket);
    if (this.#all >= limits.all) return this.#refuse('all', address, socket);
    this.#count(client, 1);
    socket.once('close', () => this.#count(client, -1));
    return true;
  }

  /** Undefined for a connection that is part of the sum alone. */
  #connectionsOf(client: string | undefined): number {
    return client === undefined ? 0 : (this.#byAddress.get(client) ?? 0);
  }

  #count(client: string | undefined, change: 1 | -1): void {
    this.#all += change;
    if (client === undefined) return;
    const own = this.#connectionsOf(client) + change;
    if (own > 0) this.#byAddress.set(client, own);
    else this.#byAddress.delete(client);
  }

  #refuse(limit: keyof ConnectionLimits, address: string, socket: Socket): false {
    const whose = limit === 'all' ? 'All clients together' : 'An address';
    const most = this.services.limits[limit];
    const refusal = busy(`${whose} may have ${most} connections (connections.${limit}).`, `connections.${limit}`);
    this.services.report(refusal, address);
    this.#log(limit, address);
    socket.on('error', () => undefined);
    if (this.#answered >= MOST_ANSWERED) socket.destroy();
    else this.#answer(refusal, socket);
    return false;
  }

  #answer(refusal: Refusal, socket: Socket): void {
    this.#answered += 1;
    socket.once('close', () => (this.#answered -= 1));
    // A connection that is closed with unread bytes is reset, and the answer is lost.
    socket.resume();
    answerUnread(refusal, socket, this.services.clock);
  }

  #log(limit: keyof ConnectionLimits, address: string): void {
    const now = this.services.clock.elapsed();
    if (now - this.#toldAt < BETWEEN_ENTRIES) return;
    this.#toldAt = now;
    const err = httpError('SIGIL_CONNECTIONS', { limit, most: String(this.services.limits[limit]), address });
    this.services.logger.warn({ err }, 'A connection was refused');
  }
}
