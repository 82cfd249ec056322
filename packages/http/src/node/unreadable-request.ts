/** Requests that Node cannot parse as HTTP: they are also answered in JSON-RPC, if the connection still accepts an answer. */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@sigil-mcp/core';
import { ERROR_CODES, writeError } from '@sigil-mcp/protocol';

const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Milliseconds for a client to read the answer and to close its side, which it may never do. */
const LAST_BYTES = 1000;

/**
 * Makes a `clientErrorHandler` for Fastify: it answers with 431, 408 or 400 and closes the connection. Earlier requests on the same
 * connection are answered first.
 * @param clock the server's clock, once it exists
 */
export function unreadableRequests(clock: () => Clock): (error: NodeJS.ErrnoException, socket: Socket) => void {
  const waiting = new WeakSet<Socket>();
  return (error, socket) => {
    // Later input on such a connection fails again, and so does its end: only this handler notices that the client has disconnected.
    if (waiting.has(socket)) return void (socket.readableEnded && socket.destroy());
    waiting.add(socket);
    answerInTurn(error, socket, clock);
  };
}

function answerInTurn(error: NodeJS.ErrnoException, socket: Socket, clock: () => Clock): void {
  const response = responseOf(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  // When this response has ended, the next one in line gets the socket.
  else if (response?.req.complete) response.once('close', () => answerInTurn(error, socket, clock));
  // A second response would be written into the first one, or be mistaken for the answer to the next request.
  else if (response ? response.headersSent : isAnswered(socket)) socket.destroy();
  else {
    answer(error, socket);
    const timer = clock()
      .after(LAST_BYTES, () => socket.destroy())
      .unref();
    socket.once('close', () => timer.close());
  }
}

function answer(error: NodeJS.ErrnoException, socket: Socket): void {
  const status = STATUS[error.code ?? ''] ?? 400;
  const reason = STATUS_CODES[status] ?? 'Bad Request';
  const body = bodyOf(`The request could not be read: ${reason}.`);
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The response that has the socket; Node's own error handler uses the same field. */
function responseOf(socket: Socket): ServerResponse | undefined {
  return (socket as { readonly _httpMessage?: ServerResponse })._httpMessage;
}

/** Whether the request with the invalid body has been answered already: no response has the socket, and the body has not ended. */
function isAnswered(socket: Socket): boolean {
  const { parser } = socket as { readonly parser?: { readonly incoming: IncomingMessage | null } | null };
  return parser?.incoming?.complete === false;
}

/** Answers requests with an `Expect` header other than `100-continue` with 417; Node would do so without a body. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = bodyOf('The only supported value of the Expect header is 100-continue.');
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  response.writeHead(417, headers).end(body);
}

function bodyOf(message: string): string {
  return writeError(undefined, { code: ERROR_CODES['invalid-request'], message });
}
