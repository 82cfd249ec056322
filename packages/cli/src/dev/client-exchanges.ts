/** A request of an HTTP client: it may wait, go to a server, and go to the next server if the first one ends. */
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { RequestId } from '@sigil-mcp/protocol';
import type { HttpSession } from './http-sessions';
import {
  cancelledId,
  isRequest,
  readShapes,
  restartError,
  type MessageShape,
  isResponse,
  rewriteEach,
} from './message-shape';
import { SENT_AGAIN, acknowledgedId, changesFor } from './session-record';
import {
  type Upstream,
  type UpstreamRequest,
  EventReader,
  isEventStream,
  messageEvent,
  writeEvent,
  type RelayedEvent,
} from './upstream';

/** The request, its response, and callbacks for the answer. */
export interface ExchangeParts {
  readonly request: UpstreamRequest;
  readonly response: ServerResponse;
  readonly session: HttpSession | undefined;
  readonly messages: readonly MessageShape[];
  /** Called with a short answer as a whole, or with each message of a stream. */
  readonly onAnswer: (text: string, head: IncomingMessage) => void;
  /** Called with each text that the client receives; without a head for an error of ours. */
  readonly onPassed: (text: string, head?: IncomingMessage) => void;
  /** Called once, when the response to the client has ended. */
  readonly onEnd: () => void;
}

/** A request, and the response to its client. */
export class ClientExchange {
  /** The ids of the requests that have no answer yet. */
  readonly unanswered: Set<RequestId>;
  /** Whether the request can also be sent to the next server: a stream of notifications, or the first request of a client. */
  readonly isLasting: boolean;
  #sent: ClientRequest | undefined;
  #isOver = false;
  /** Whether the server with this request is ending: then the end of its answer does not end the response. */
  #isAbandoned = false;

  constructor(private readonly held: ExchangeParts) {
    const { request, response, messages } = held;
    const requests = messages.filter(isRequest);
    this.unanswered = new Set(requests.map(({ id }) => id));
    this.isLasting = request.method === 'GET' || requests.some(({ method }) => SENT_AGAIN.has(method));
    response.on('close', () => {
      this.#sent?.destroy();
      this.#end();
    });
  }

  get session(): HttpSession | undefined {
    return this.held.session;
  }

  /** Whether the client still waits for an answer that only this server can give. */
  get isUnfinished(): boolean {
    return !this.#isOver && !this.isLasting;
  }

  /** Sends the request to a server. */
  send(upstream: Upstream): void {
    if (this.#isOver) return;
    const { request, session } = this.held;
    const isAgain = this.#isAbandoned;
    this.#isAbandoned = false;
    const headers = session ? { ...request.headers, 'mcp-session-id': session.inner } : request.headers;
    const rewriter = new EventRewriter(upstream.generation, session, isAgain);
    const sent = upstream.send(
      { ...request, headers },
      {
        onResponse: (head) => this.#sent === sent && this.#receive(head, rewriter),
        onError: () => this.#sent === sent && !this.#isAbandoned && this.fail('The server has ended.'),
      },
    );
    this.#sent = sent;
  }

  /** Takes the request back from a server that is about to end; a lasting request waits for the next server. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#sent?.destroy();
    this.#sent = undefined;
  }

  /** Answers every unanswered request with an error. */
  fail(why: string): void {
    if (this.#isOver) return;
    const { response, request } = this.held;
    const errors = [...this.unanswered].map((id) => restartError(id, why));
    this.#sent?.destroy();
    for (const error of errors) this.held.onPassed(error);
    if (response.headersSent) {
      for (const error of errors) response.write(messageEvent(error));
    } else if (errors.length > 0) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(errors.length === 1 ? errors[0] : `[${errors.join(',')}]`);
    } else response.writeHead(request.method === 'POST' ? 202 : 503, { 'retry-after': '1' });
    response.end();
    this.#end();
  }

  /** Writes a message into the stream of the answer. @returns false if the answer is not a stream, or has ended */
  say(text: string): boolean {
    const { response } = this.held;
    if (this.#isOver || !response.headersSent) return false;
    return response.write(messageEvent(text)) || true;
  }

  /** The same, and notes that the client receives it. */
  tells(text: string): boolean {
    const isSaid = this.say(text);
    if (isSaid) this.held.onPassed(text);
    return isSaid;
  }

  #receive(head: IncomingMessage, rewriter: EventRewriter): void {
    if (isEventStream(head)) this.#relayEvents(head, rewriter);
    else this.#relayWhole(head);
  }

  #relayEvents(head: IncomingMessage, rewriter: EventRewriter): void {
    const { response } = this.held;
    if (!response.headersSent) response.writeHead(head.statusCode ?? 200, this.#headers(head)).flushHeaders();
    const reader = new EventReader();
    head
      .setEncoding('utf8')
      .on('data', (piece: string) => {
        for (const event of reader.read(piece)) {
          for (const passed of rewriter.rewrite(event)) {
            response.write(writeEvent(passed));
            if (passed.data !== undefined) this.held.onPassed(passed.data, head);
          }
          if (event.data !== undefined) this.#note(event.data, head);
        }
      })
      .on('end', () => this.#finish(head.statusCode === 200))
      .on('error', () => undefined); // an interrupted stream ends here, or is requested again
  }

  #relayWhole(head: IncomingMessage): void {
    const chunks: Buffer[] = [];
    head
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const body = Buffer.concat(chunks);
        const text = body.toString('utf8');
        this.#note(text, head);
        this.held.onPassed(text, head);
        const { response } = this.held;
        // Headers may have been sent already, if the request was a stream at the last server.
        if (!response.headersSent) response.writeHead(head.statusCode ?? 200, this.#headers(head)).write(body);
        this.#finish(false);
      })
      .on('error', () => undefined); // as above
  }

  #note(text: string, head: IncomingMessage): void {
    for (const { id, method } of readShapes(text))
      if (method === undefined && id !== undefined && id !== null) this.unanswered.delete(id);
    this.held.onAnswer(text, head);
  }

  /** @param isRunningOn whether the server released the connection and continues the call */
  #finish(isRunningOn: boolean): void {
    if (this.#isAbandoned || this.#isOver) return;
    if (isRunningOn) for (const id of this.unanswered) this.held.session?.detached.add(id);
    this.held.response.end();
    this.#end();
  }

  /** The headers of an answer, with the session id that the client knows. */
  #headers({ headers }: IncomingMessage): Record<string, string | string[]> {
    const { connection: _connection, 'keep-alive': _keepAlive, 'transfer-encoding': _encoding, ...rest } = headers;
    const { session } = this.held;
    const known = session && 'mcp-session-id' in rest ? { 'mcp-session-id': session.id } : {};
    return Object.fromEntries(
      Object.entries({ ...rest, ...known }).filter(
        (entry): entry is [string, string | string[]] => entry[1] !== undefined,
      ),
    );
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.held.onEnd();
  }
}

/** The requests of a port that have no end yet. */
export class ClientExchanges extends Set<ClientExchange> {
  /** Those whose clients wait for what only the current server can answer. */
  get unfinished(): ClientExchange[] {
    return [...this].filter(({ isUnfinished }) => isUnfinished);
  }

  /** Those that outlast a restart. */
  get lasting(): ClientExchange[] {
    return [...this].filter(({ isLasting }) => isLasting);
  }

  /** Whether a request of a session runs. */
  isRunning(session: HttpSession, id: RequestId): boolean {
    return session.detached.has(id) || this.#of(session).some(({ unanswered }) => unanswered.has(id));
  }

  /** Forgets requests that a client cancelled: it no longer waits for their answers. */
  noteCancelled(session: HttpSession, messages: readonly MessageShape[]): void {
    for (const id of messages.map(cancelledId)) {
      if (id === undefined) continue;
      session.detached.delete(id);
      for (const { unanswered } of this.#of(session)) unanswered.delete(id);
    }
  }

  /** Sends a message to the client of a session, on any of its streams. */
  tell(session: HttpSession, text: string): void {
    this.#of(session).some((exchange) => exchange.tells(text));
  }

  #of(session: HttpSession): ClientExchange[] {
    return [...this].filter((exchange) => exchange.session === session);
  }
}

/** Rewrites the events of one stream. */
export class EventRewriter {
  #isFirst = true;

  /** @param isAgain whether the client has received the beginning of this stream already, from another server */
  constructor(
    private readonly generation: number,
    private readonly session: HttpSession | undefined,
    private readonly isAgain: boolean,
  ) {}

  /** The events to pass on in place of one. */
  rewrite(event: RelayedEvent): readonly RelayedEvent[] {
    const id = event.id === undefined ? undefined : `${this.generation}~${event.id}`;
    if (event.data === undefined) return [{ ...event, id }];
    return rewriteEach(event.data, (message, text) => this.#rewriteMessage(message, text)).map((data) => ({
      ...event,
      id,
      data,
    }));
  }

  #rewriteMessage(message: MessageShape, text: string): readonly string[] {
    const renewed = this.#renewal(message);
    if (renewed) return renewed;
    if (isResponse(message)) this.session?.detached.delete(message.id);
    return [this.session?.questions.rename(message) ?? text];
  }

  /** A renewed subscription starts with notifications of the lists that may have changed. */
  #renewal(message: MessageShape): readonly string[] | undefined {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (!isFirst || !this.isAgain) return undefined;
    const id = acknowledgedId(message);
    return id === undefined ? undefined : changesFor(message, id);
  }
}

/** The request to resume a stream, for the server of a generation: it cannot resume from an event of another server. */
export function resumptionOf(request: UpstreamRequest, generation: number): UpstreamRequest {
  const { 'last-event-id': last, ...headers } = request.headers;
  if (typeof last !== 'string') return request;
  const mark = `${generation}~`;
  if (!last.startsWith(mark)) return { ...request, headers };
  return { ...request, headers: { ...headers, 'last-event-id': last.slice(mark.length) } };
}
