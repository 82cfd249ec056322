/** The connection of one user: kept open as the load generator of the benchmark does, one request at a time. */
import { connect } from 'node:net';
import { WholeResponse } from '../../../test/measures/bench/contest/whole-response.mjs';

export class Connection {
  #port;
  #socket;
  #waiting;

  /** @param {number} port of this machine */
  constructor(port) {
    this.#port = port;
  }

  /**
   * Sends a request.
   * @param {string} method of HTTP
   * @param {Record<string, string>} headers besides `Host` and the length
   * @param {string | undefined} body
   * @returns the response: `{ status, head, body }`; status 0 if the connection ended without one
   */
  send(method, headers, body) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
    const text = `${method} /mcp HTTP/1.1\r\nhost: localhost:${this.#port}\r\n${lines.join('')}${length}\r\n${body ?? ''}`;
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#open().write(text);
    });
  }

  close() {
    this.#socket?.destroy();
  }

  #open() {
    if (this.#socket) return this.#socket;
    const response = new WholeResponse();
    const socket = connect(this.#port, '127.0.0.1').setNoDelay(true);
    socket.on('data', (chunk) => {
      const whole = response.push(chunk);
      if (whole === undefined) return;
      // The next request goes over a connection of its own.
      if (/\r\nconnection: *close/i.test(whole.head)) this.#forget(socket);
      this.#waiting?.(whole);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#forget(socket);
      this.#waiting?.({ status: 0, head: '', body: Buffer.alloc(0) });
    });
    this.#socket = socket;
    return socket;
  }

  #forget(socket) {
    if (this.#socket === socket) this.#socket = undefined;
  }
}
