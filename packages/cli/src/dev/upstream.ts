/** Requests to the server under development. */
import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';

/** One event of an event stream, or a line between two events. */
export interface RelayedEvent {
  readonly id?: string | undefined;
  /** The type of the event. */
  readonly event?: string | undefined;
  /** Undefined for a line between two events. */
  readonly data?: string | undefined;
  /** The line: a comment, or the time after which to reconnect. */
  readonly line?: string;
}

/** A request to the server, from a client or repeated. */
export interface UpstreamRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | undefined;
}

/** A server, by its port. */
export class Upstream {
  /** @param generation a part of the ids of its events, so that they differ from those of the servers before */
  constructor(
    private readonly port: number,
    readonly generation: number,
  ) {}

  /** Sends a request. @param onResponse receives the head of the answer; the body follows */
  send(
    { method, url, headers, body }: UpstreamRequest,
    { onResponse, onError }: { onResponse: (response: IncomingMessage) => void; onError: (error: Error) => void },
  ): ClientRequest {
    const { 'content-length': _length, 'transfer-encoding': _encoding, connection: _connection, ...rest } = headers;
    const sent = request({
      host: '127.0.0.1',
      port: this.port,
      method,
      path: url,
      headers: { ...rest, ...(body && { 'content-length': body.length }) },
    });
    sent.on('response', onResponse).on('error', onError);
    sent.end(body);
    return sent;
  }

  /** Sends a message and reads the whole answer: its session id, and its text or that of its last event. */
  async ask(asked: UpstreamRequest): Promise<{ readonly session: string | undefined; readonly text: string }> {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      this.send(asked, { onResponse: resolve, onError: reject }),
    );
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer); // no encoding is set
    const body = Buffer.concat(chunks).toString('utf8');
    const session = response.headers['mcp-session-id'];
    return {
      session: typeof session === 'string' ? session : undefined,
      text: isEventStream(response) ? lastMessage(body) : body,
    };
  }
}

/** The text of the last event with a message; empty if there is no such event. */
function lastMessage(stream: string): string {
  const messages = new EventReader().read(stream).flatMap(({ data }) => (data?.startsWith('{') ? [data] : []));
  return messages.at(-1) ?? '';
}

/** Text that arrives in pieces -> events. */
export class EventReader {
  #completed: RelayedEvent[] = [];
  readonly #parser = createParser({
    onEvent: (event) => this.#completed.push(event),
    onComment: (comment) => this.#completed.push({ line: `: ${comment}` }),
    onRetry: (milliseconds) => this.#completed.push({ line: `retry: ${milliseconds}` }),
  });

  /** The events that a piece completes. */
  read(piece: string): RelayedEvent[] {
    this.#parser.feed(piece);
    return this.#completed.splice(0);
  }
}

/** Whether a response is a stream of events. */
export function isEventStream({ headers }: IncomingMessage): boolean {
  return /^text\/event-stream/.test(headers['content-type'] ?? '');
}

/** An event as text. */
export function writeEvent({ id, event, data, line }: RelayedEvent): string {
  const lines = [
    ...(line === undefined ? [] : [line]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(data === undefined ? [] : data.split('\n').map((text) => `data: ${text}`)),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** A message as the text of an event. */
export function messageEvent(data: string): string {
  return writeEvent({ event: 'message', data });
}
