/**
 * When a response is over. Its own `close` does not come where it never got its socket, because it was pipelined behind another
 * that still has it: so the socket is watched, too.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** Responses that wait on one connection while Node goes on reading from it. */
const MOST_WAITING = 16;

/** The connections of one endpoint. A socket gets one listener, however many requests were pipelined on it. */
export class Connections {
  readonly #watched = new WeakMap<Socket, Set<() => void>>();
  /** How many responses wait for their turn. */
  readonly #waiting = new WeakMap<Socket, number>();

  /** Calls back once, when the response was sent whole or its client is gone. */
  onEnd({ raw, request }: FastifyReply, listener: () => void): void {
    const { socket } = request.raw;
    const listeners = this.#listenersOf(socket);
    const end = (): void => {
      if (!listeners.delete(end)) return;
      raw.off('close', end);
      listener();
    };
    listeners.add(end);
    raw.once('close', end);
    if (socket.destroyed) end();
  }

  /**
   * Sends a response when it is its turn on the connection. For what Node itself holds behind a response that is not over it
   * stops reading, and would not see the client leave; where many wait already that is just what has to be.
   */
  inTurn({ raw, request }: FastifyReply, send: () => void): void {
    const { socket } = request.raw;
    const waiting = this.#waiting.get(socket) ?? 0;
    if (raw.socket || waiting >= MOST_WAITING) return send();
    this.#waiting.set(socket, waiting + 1);
    raw.once('socket', () => {
      this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
      send();
    });
  }

  #listenersOf(socket: Socket): Set<() => void> {
    const known = this.#watched.get(socket);
    if (known) return known;
    const listeners = new Set<() => void>();
    this.#watched.set(socket, listeners);
    socket.once('close', () => {
      for (const listener of [...listeners]) listener();
    });
    return listeners;
  }
}

/** What goes wrong on a response ends that response alone: it is destroyed by then, and whoever waits for it hears of its end. */
export function swallowErrors(response: ServerResponse): void {
  response.on('error', swallow);
}

function swallow(): void {
  // Whoever waits for the response hears of its end.
}
