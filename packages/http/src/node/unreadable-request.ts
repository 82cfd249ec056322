/** Requests that Node cannot parse as HTTP: they are also answered in JSON-RPC, if the connection still accepts an answer. */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@sigil-mcp/core';
import { ERROR_CODES, writeError } from '@sigil-mcp/protocol';
import { refusal, type Refusal } from '../call';

const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Milliseconds for a client to read the answer and to close its side, which it may never do. */
const LAST_BYTES = 1000;

/** What the handler of such requests works with. */
export interface UnreadableRequestServices {
  /** The server's clock, once it exists. */
  readonly clock: () => Clock;
  /** Called with each answer to what is no request. */
  readonly report: (refusal: Refusal, error: Error, socket: Socket) => void;
}

/**
 * Makes a `clientErrorHandler` for Fastify: it answers with 431, 408 or 400 and closes the connection. Earlier requests on the same
 * connection are answered first.
 */
export function unreadableRequests(
  services: UnreadableRequestServices,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  const waiting = new WeakSet<Socket>();
  return (error, socket) => {
    // Later input on such a connection fails again, and so does its end: only this handler notices that the client has disconnected.
    if (waiting.has(socket)) return void (socket.readableEnded && socket.destroy());
    waiting.add(socket);
    answerInTurn(error, socket, services);
  };
}

function answerInTurn(error: NodeJS.ErrnoException, socket: Socket, services: UnreadableRequestServices): void {
  const response = responseOf(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  // When this response has ended, the next one in line gets the socket.
  else if (response?.req.complete) response.once('close', () => answerInTurn(error, socket, services));
  // A second response would be written into the first one, or be mistaken for the answer to the next request.
  else if (response ? response.headersSent : isAnswered(socket)) socket.destroy();
  else {
    const status = STATUS[error.code ?? ''] ?? 400;
    const found = refusal(status, `The request could not be read: ${STATUS_CODES[status] ?? 'Bad Request'}.`);
    answerUnread(found, socket, services.clock());
    // A request whose body breaks off is refused, and reported, as a request.
    if (!response) services.report(found, error, socket);
  }
}

/** Answers a client whose request is not read, and ends the connection: the client has a second to read the answer. */
export function answerUnread({ status, error, headers }: Refusal, socket: Socket, clock: Clock): void {
  const body = writeError(undefined, error);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Bad Request'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const timer = clock.after(LAST_BYTES, () => socket.destroy()).unref();
  socket.once('close', () => timer.close());
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
  const message = 'The only supported value of the Expect header is 100-continue.';
  const body = writeError(undefined, { code: ERROR_CODES['invalid-request'], message });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  response.writeHead(417, headers).end(body);
}
