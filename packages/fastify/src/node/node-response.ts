/** Sends a response of the port as Fastify's reply. */
import { validateHeaderName, validateHeaderValue, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { EventSource, EventWriter, HttpResponse } from '@sigil-mcp/http';
import type { FastifyReply } from 'fastify';
import { answerBare } from './bare-answer';
import { swallowErrors, type Connections } from './connections';

/**
 * Sends a response: a whole one by Fastify, with the hooks of the app; an event stream past it, with the headers that plugins have set.
 * Errors while sending are told to the response, whose own error is sent instead if nothing has begun.
 */
export function sendResponse(reply: FastifyReply, response: HttpResponse, connections: Connections): void {
  const { body } = response;
  if (typeof body === 'object' && 'open' in body) return sendEvents(reply, response, body);
  const { raw } = reply;
  if (raw.socket) sendWhole(reply, response, body);
  else connections.inTurn(reply, () => sendWhole(reply, response, body));
  // What waits for its turn takes memory as well, and so does what hooks of the app still process.
  if (body !== undefined) response.sent?.(raw.writableEnded ? raw.writableLength : body.length);
}

/** Sends the error of a response in its place, past the hooks of the app, which may have caused the failure. */
function fail(reply: FastifyReply, response: HttpResponse, error: unknown): void {
  if (!response.failed) throw error;
  answerBare(reply, response.failed(error));
}

function sendWhole(reply: FastifyReply, response: HttpResponse, body?: string | Uint8Array): void {
  const { status, headers } = response;
  try {
    void reply.code(status);
    for (const name in headers) void reply.header(name, headers[name]);
    void reply.send(body);
  } catch (error) {
    fail(reply, response, error);
  }
}

function sendEvents(reply: FastifyReply, answer: HttpResponse, events: EventSource): void {
  const { raw: response } = reply;
  let head: OutgoingHttpHeaders;
  try {
    head = headOf(reply, answer.headers);
  } catch (error) {
    events.discard();
    return fail(reply, answer, error);
  }
  reply.hijack();
  const writer = new NodeEventWriter(response);
  const { whole } = events;
  if (whole === undefined) writer.begin(head);
  else writer.writeWhole(head, whole);
  // What was passed to the system can fail no more.
  if (whole === undefined || !writer.isOpen || writer.unread > 0) swallowErrors(response);
  events.open(writer);
  if (whole !== undefined) answer.sent?.(writer.unread);
}

/** The headers of a stream, and those that the app has set on the reply. Throws for invalid headers: nothing has happened then. */
function headOf(reply: FastifyReply, headers: HttpResponse['headers']): OutgoingHttpHeaders {
  // Fastify's type has a key for every known header, most of them undefined.
  const set = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined);
  if (set.length === 0) return headers;
  for (const [name, value] of set) {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
  }
  return { ...Object.fromEntries(set), ...headers };
}

/** Writes events on a response of Node. An error means that the connection broke, which `close` of the response reports. */
class NodeEventWriter implements EventWriter {
  constructor(private readonly response: ServerResponse) {}

  get isOpen(): boolean {
    return !this.response.destroyed && this.response.socket?.destroyed !== true;
  }

  get wasDelivered(): boolean {
    return this.response.writableFinished;
  }

  get unread(): number {
    return this.response.writableLength;
  }

  write(text: string): boolean {
    return this.#attempt(() => this.response.write(text)) ?? true;
  }

  begin(head: OutgoingHttpHeaders): void {
    this.#attempt(() => this.response.writeHead(200, head));
  }

  writeWhole(head: OutgoingHttpHeaders, text: string): void {
    const headers = { ...head, 'content-length': Buffer.byteLength(text) };
    this.#attempt(() => this.response.writeHead(200, headers).end(text));
  }

  onDrain(listener: () => void): void {
    this.response.on('drain', listener);
  }

  flush(): void {
    this.#attempt(() => this.response.flushHeaders());
  }

  end(): void {
    this.#attempt(() => this.response.end());
  }

  abort(): void {
    this.response.destroy();
  }

  #attempt<T>(write: () => T): T | undefined {
    try {
      return write();
    } catch {
      this.response.destroy();
      return undefined;
    }
  }
}
