/** A connection that is kept, with one request on its way at a time. */
import { connect } from 'node:net';
import { INITIALIZE, INITIALIZED } from './messages.mjs';
import { ServerProcess } from '../http/server-process.mjs';
import { wordsOf } from './contestants.mjs';

export class HttpConnection {
  #socket;
  #port;
  #waiting;

  /** @param {number} port of this machine */
  static async open(port) {
    const connection = new HttpConnection(port);
    await new Promise((resolve) => connection.#socket.once('connect', resolve));
    return connection;
  }

  constructor(port) {
    const response = new WholeResponse();
    this.#port = port;
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true);
    this.#socket.on('data', (chunk) => {
      const whole = response.push(chunk);
      if (whole !== undefined) this.#waiting?.(whole);
    });
    this.#socket.on('close', () => this.#waiting?.({ status: 0, head: '', body: Buffer.from('the connection ended') }));
    this.#socket.on('error', () => undefined);
  }

  /** The head of the requests with these headers, without the length of the body. */
  headOf(headers) {
    const lines = Object.entries({
      host: `127.0.0.1:${this.#port}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    });
    return `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}content-length: `;
  }

  /** Posts a body; a function hears of the response, because a promise for each would be measured as well. */
  post(head, body, onResponse) {
    this.#waiting = onResponse;
    this.#socket.write(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  /** Opens a session. @returns the headers of its requests */
  async openSession() {
    const opened = await this.#ask({}, INITIALIZE);
    const id = /\r\nmcp-session-id: *(\S+)/i.exec(opened.head)?.[1];
    if (opened.status !== 200 || id === undefined || !opened.body.includes('"serverInfo"'))
      throw new Error(`initialize was answered with ${opened.status}: ${opened.body}`);
    const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    const { status } = await this.#ask(headers, INITIALIZED);
    if (status !== 202) throw new Error(`notifications/initialized was answered with ${status}`);
    return headers;
  }

  #ask(headers, body) {
    return new Promise((resolve) => this.post(this.headOf(headers), body, resolve));
  }

  close() {
    this.#waiting = undefined;
    this.#socket.destroy();
  }
}

/** A response at a time. */
export class WholeResponse {
  #held;

  /** @returns the response, once its last byte is there */
  push(chunk) {
    this.#held = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    const response = readResponse(this.#held);
    if (response !== undefined) this.#held = undefined;
    return response;
  }
}

function readResponse(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.latin1Slice(0, end + 2);
  const body = /\r\ntransfer-encoding: *chunked/i.test(head)
    ? readPieces(bytes, end + 4)
    : readLength(bytes, end + 4, Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0));
  return body && { status: Number(head.slice(9, 12)), head, body };
}

function readLength(bytes, start, length) {
  return bytes.length < start + length ? undefined : bytes.subarray(start, start + length);
}

function readPieces(bytes, start) {
  const pieces = [];
  for (let at = start; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const [from, length] = [line + 2, parseInt(bytes.latin1Slice(at, line), 16)];
    if (bytes.length < from + length + 2) return undefined;
    if (length === 0) return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    pieces.push(bytes.subarray(from, from + length));
    at = from + length + 2;
  }
}

/**
 * Starts it for one way.
 * @returns its process, and what a load has to know of it; `sessions` are those that loads have opened
 */
export async function startServer(contestant, way) {
  const [program, ...words] = wordsOf(contestant, way);
  const process = await ServerProcess.start(program, words);
  const { port, child } = process;
  return { name: contestant.name, process, port, pid: child.pid, conversation: way.conversation, sessions: [] };
}
