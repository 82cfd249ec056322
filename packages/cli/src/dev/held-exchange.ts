/** A request of an HTTP client that is held: it may wait, go to a server, and go to another one if that ends. */
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { RequestId } from '@sigil-mcp/protocol';
import { EventReader, isEventStream, messageEvent, writeEvent } from './event-relay';
import type { HttpSession } from './http-session';
import { isRequest, readShapes, type MessageShape } from './message-shape';
import { restartError } from './restart-error';
import { EventRewriter } from './rewrite-events';
import { LISTEN } from './subscription-record';
import type { Upstream, UpstreamRequest } from './upstream';

/** Requests that a new server can be given in the place of the old one. */
const AGAIN = new Set([LISTEN, 'initialize', 'server/discover']);

/** The request, and who is to hear of its answer. */
export interface HeldRequest {
  readonly request: UpstreamRequest;
  readonly response: ServerResponse;
  readonly session: HttpSession | undefined;
  readonly messages: readonly MessageShape[];
  /** Called with the whole answer where it is short, or with each message of a stream. */
  readonly onAnswer: (text: string, head: IncomingMessage) => void;
  /** Called once, when the client has got all that it will get. */
  readonly onEnd: () => void;
}

/** A held request, and what goes back to its client. */
export class HeldExchange {
  /** The ids of the requests that have no answer yet. */
  readonly unanswered: Set<RequestId>;
  /** Whether the request can be given to the next server as well: a stream of what happens, or the very first word of a client. */
  readonly isLasting: boolean;
  #sent: ClientRequest | undefined;
  #isOver = false;
  /** Whether the server that has the request is on its way out: then the end of its answer is not the end. */
  #isAbandoned = false;

  constructor(private readonly held: HeldRequest) {
    const { request, response, messages } = held;
    const requests = messages.filter(isRequest);
    this.unanswered = new Set(requests.map(({ id }) => id));
    this.isLasting = request.method === 'GET' || requests.some(({ method }) => AGAIN.has(method));
    response.on('close', () => {
      this.#sent?.destroy();
      this.#end();
    });
  }

  get session(): HttpSession | undefined {
    return this.held.session;
  }

  /** Whether anybody still waits for something that only a server can say. */
  get isUnfinished(): boolean {
    return !this.#isOver && !this.isLasting;
  }

  /** Gives it to a server. @param generation of the server, which its event ids say */
  send(upstream: Upstream, generation: number): void {
    if (this.#isOver) return;
    const { request, session } = this.held;
    const isAgain = this.#isAbandoned;
    this.#isAbandoned = false;
    const headers = session ? { ...request.headers, 'mcp-session-id': session.inner } : request.headers;
    const rewriter = new EventRewriter(generation, session, isAgain);
    const sent = upstream.send(
      { ...request, headers },
      {
        onResponse: (head) => this.#sent === sent && this.#receive(head, rewriter),
        onError: () => this.#sent === sent && !this.#isAbandoned && this.fail('The server is gone.'),
      },
    );
    this.#sent = sent;
  }

  /** Takes the request from a server that is about to end; one that lasts waits for the next server. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#sent?.destroy();
    this.#sent = undefined;
  }

  /** Answers everything that has no answer with an error. */
  fail(why: string): void {
    if (this.#isOver) return;
    const { response, request } = this.held;
    const errors = [...this.unanswered].map((id) => restartError(id, why));
    this.#sent?.destroy();
    if (response.headersSent) {
      for (const error of errors) response.write(messageEvent(error));
    } else if (errors.length > 0) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(errors.length === 1 ? errors[0] : `[${errors.join(',')}]`);
    } else response.writeHead(request.method === 'POST' ? 202 : 503, { 'retry-after': '1' });
    response.end();
    this.#end();
  }

  /** Puts a message into the stream of the answer. @returns false if the answer is no stream, or over */
  say(text: string): boolean {
    const { response } = this.held;
    if (this.#isOver || !response.headersSent) return false;
    return response.write(messageEvent(text)) || true;
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
          for (const passed of rewriter.rewrite(event)) response.write(writeEvent(passed));
          if (event.data !== undefined) this.#note(event.data, head);
        }
      })
      .on('end', () => this.#finish(head.statusCode === 200))
      .on('error', () => undefined); // a stream that was cut off ends here, or is sent again
  }

  #relayWhole(head: IncomingMessage): void {
    const chunks: Buffer[] = [];
    head
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const body = Buffer.concat(chunks);
        this.#note(body.toString('utf8'), head);
        const { response } = this.held;
        // A stream that is opened again and is none any more.
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

  /** @param isRunningOn whether the server let go of a connection whose call it goes on with */
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
