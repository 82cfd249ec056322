/**
 * The end of a response. A response that never got its socket, because it was pipelined behind another one, emits no `close`: so the
 * socket is watched, too.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The number of responses that may wait on one connection while Node continues to read from it. */
const MOST_WAITING = 16;

/** The connections of one endpoint. Each socket has one listener for all of its pipelined requests. */
export class Connections {
  readonly #watched = new WeakMap<Socket, Set<() => void>>();
  /** The number of responses that wait for their turn. No `Budget`: one whose socket is gone is never given back, but forgotten with it. */
  readonly #waiting = new WeakMap<Socket, number>();

  /**
   * Calls back once, when the response was sent completely or its client has disconnected.
   * @returns stops listening
   */
  onEnd(response: ServerResponse, listener: () => void): () => void {
    const { socket } = response.req;
    const listeners = this.#listenersOf(socket);
    const stop = (): boolean => {
      const wasListening = listeners.delete(end);
      if (wasListening) response.off('close', end);
      return wasListening;
    };
    const end = (): void => {
      if (stop()) listener();
    };
    listeners.add(end);
    response.once('close', end);
    if (socket.destroyed || response.closed) end();
    return stop;
  }

  /**
   * Sends a response in its turn on the connection. If a response were queued in Node behind another one, Node would stop reading and
   * would not notice that the client disconnects. With many waiting responses, that is intended.
   */
  inTurn(response: ServerResponse, send: () => void): void {
    const { socket } = response.req;
    const waiting = this.#waiting.get(socket) ?? 0;
    if (response.socket || waiting >= MOST_WAITING) return send();
    this.#waiting.set(socket, waiting + 1);
    response.once('socket', () => {
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
