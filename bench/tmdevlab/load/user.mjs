/**
 * A user of the benchmark: four short conversations in turn, one for each tool and one for the list, each with `initialize`, its
 * notification, a request, and `DELETE` if the server has given a session; then a pause.
 */
import { callsOf, isRightList, isRightOpening, isRightResult, messageIn } from './calls.mjs';
import { connect } from 'node:net';
import { WholeResponse } from '../../../test/measures/bench/contest/http-connection.mjs';

class Connection {
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

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const OPENING = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'bench', version: '1.0' } },
});
const OPENED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} });

export class User {
  #connection;
  #calls;
  #counts;

  /** @param counts what is counted of all users: `count(name, milliseconds, isRight)` and `overhead(isRight)` */
  constructor(number, port, counts) {
    this.#connection = new Connection(port);
    this.#counts = counts;
    this.#calls = callsOf(number).map(({ name, args, isRight }) => ({
      name,
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: args } }),
      isRight: (message) => isRightResult(message, isRight),
    }));
  }

  /** Three tools and the list, once. */
  async iterate() {
    for (const call of this.#calls) await this.#converse(call);
    await this.#converse({ name: 'tools/list', body: LIST, isRight: isRightList });
  }

  close() {
    this.#connection.close();
  }

  async #converse({ name, body, isRight }) {
    const { head } = await this.#post('initialize', OPENING, { headers: HEADERS, isRight: isRightOpening });
    const session = /\r\nmcp-session-id: *(\S+)/i.exec(head)?.[1];
    const headers = session === undefined ? HEADERS : { ...HEADERS, 'mcp-session-id': session };
    await this.#overhead('POST', headers, OPENED);
    await this.#post(name, body, { headers, isRight });
    if (session !== undefined) await this.#overhead('DELETE', { 'mcp-session-id': session });
  }

  /** A request that counts. */
  async #post(name, body, { headers, isRight }) {
    const started = performance.now();
    const response = await this.#connection.send('POST', headers, body);
    const elapsed = performance.now() - started;
    this.#counts.count(name, elapsed, response.status === 200 && isRight(messageIn(response.body)));
    return response;
  }

  /** What the protocol asks for besides; it takes the server's time and does not count. */
  async #overhead(method, headers, body) {
    const { status } = await this.#connection.send(method, headers, body);
    this.#counts.overhead(status >= 200 && status < 300);
  }
}
