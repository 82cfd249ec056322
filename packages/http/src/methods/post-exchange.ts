/**
 * One POST and its response: JSON, unless a message has to be sent before the answer. Then, or if streams are always
 * wanted, the response becomes an event stream; its status was decided before. It is never what the client does not accept.
 */
import { randomUUID } from 'node:crypto';
import type { Caller, RequestHeaders } from '@sigil-mcp/core';
import {
  endedCall,
  type WrittenAnswer,
  type Conversation,
  type Exchange,
  type MaybePromise,
  type Network,
} from '@sigil-mcp/core/adapter';
import { callFields, readAddress, type MirroredArgument } from '@sigil-mcp/core/internal';
import { ERROR_CODES, writeError, type RequestId } from '@sigil-mcp/protocol';
import { distinctHeaders, JSON_HEADERS, SSE_HEADERS, withHeaders, type HttpCall } from '../call';
import { answerTypeOf, type AnswerType } from '../checks/head-checks';
import { checkMirroredArguments } from '../checks/mirrored-headers';
import { OVER_HTTP, type EndpointServices } from '../endpoint-services';
import type { HttpResponse } from '../port';
import type { Session } from '../sessions/session';
import { frame, PlainOutlet, type EventStream, type Outlet } from '../streams/event-stream';
import { WholeStream } from '../streams/event-streams';

/** The requests of one POST, and where they belong. */
export interface PostRequests {
  readonly conversation: Conversation;
  /** The session to which the client can reconnect, if there is one. */
  readonly session: Session | undefined;
  /** For the log. */
  readonly method: string;
  readonly ids: readonly RequestId[];
}

/** How an exchange ends. */
export interface Finish {
  /** The status of a response that is not a stream, whose status was sent as 200 before. 200 if left out. */
  readonly status?: number;
  /** More headers of a response that is not a stream. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the answers belong to a batch and are written as an array, even a single one. False if left out. */
  readonly isBatch?: boolean;
}

/** Why a client cannot be asked. */
const NO_STREAM =
  'The client accepts no event stream in answer to this request, so it cannot be asked anything. Its Accept header must name text/event-stream.';

/** The exchange of one POST. */
export class PostExchange implements Exchange {
  readonly conversation: Conversation;
  readonly session: Session | undefined;
  readonly ids: readonly RequestId[];
  readonly #method: string;
  #response: HttpResponse | undefined;
  /** Takes the response that is waited for. */
  #respond: ((response: HttpResponse) => void) | undefined;
  /** A stream that is the response, once it is one. */
  #stream: EventStream | undefined;
  /** What is sent on that stream. */
  #outlet: Outlet | undefined;
  #headers: RequestHeaders | undefined;
  /** Whether sending has failed: nothing more is sent. */
  #isBroken = false;
  /** What its client accepts. */
  readonly #type: AnswerType | undefined;

  constructor(
    private readonly call: HttpCall,
    private readonly services: EndpointServices,
    { conversation, session, method, ids }: PostRequests,
  ) {
    this.conversation = conversation;
    this.session = session;
    this.ids = ids;
    this.#method = method;
    this.#type = answerTypeOf(call.request);
  }

  /** The response: at once, if it has begun. */
  get response(): MaybePromise<HttpResponse> {
    return this.#response ?? new Promise((resolve) => (this.#respond = resolve));
  }

  get headers(): RequestHeaders {
    return (this.#headers ??= this.call.visibleHeaders);
  }

  get address(): string {
    return readAddress(this.call.request.address);
  }

  get caller(): Caller {
    return this.call.caller;
  }

  get network(): Network {
    return OVER_HTTP;
  }

  get sessionId(): string | undefined {
    return this.session?.id;
  }

  get hearsChanges(): boolean {
    const { mode, sessions } = this.services;
    return mode !== 'buffered' && (sessions !== undefined || !this.conversation.revision.http.getStream);
  }

  get unreachable(): string | undefined {
    return this.#type === 'json' ? NO_STREAM : undefined;
  }

  /** A client that accepts JSON alone misses what comes before the answer. */
  notify(text: string): void | Promise<void> {
    if (this.#type === 'json') return undefined;
    return this.#try(() => this.#open().send(text));
  }

  /** Releases the connection. Opens the stream first if necessary, because only then can the client reconnect. */
  release(): void {
    if (this.#type !== 'json') this.#try(() => this.#open().release?.());
  }

  /** Compares arguments with headers, if the revision mirrors them. Throws `header-mismatch`. */
  checkMirrored(mirrored: readonly MirroredArgument[], sent: unknown): void {
    if (!this.conversation.revision.http.mirrorsArguments) return;
    const names = mirrored.map(({ header }) => header);
    const mismatch = checkMirroredArguments(distinctHeaders(this.call.request, names), mirrored, sent);
    if (mismatch) throw mismatch;
  }

  /**
   * Sends the answers, and nothing after them. Without answers, because the messages need none or because the
   * request was cancelled, the message is acknowledged: 202. Throws if that fails.
   */
  finish(answers: readonly WrittenAnswer[], { status = 200, headers, isBatch = false }: Finish = {}): void {
    if (this.#isBroken) return;
    const [first] = answers;
    const { answerHeaders } = this.call;
    const isWanted = this.#type === 'stream' || (this.services.mode === 'always' && this.#type !== 'json');
    const isStream = isWanted && first && status === 200 && !isBatch;
    if (!this.#outlet && isStream && this.#sendWhole(first.text)) return;
    if (this.#outlet || isStream) this.#endStream(answers);
    else if (!first) this.#begin(202, answerHeaders ?? {});
    else {
      const body = isBatch ? `[${answers.map(({ text }) => text).join(',')}]` : (first.bytes?.() ?? first.text);
      this.#begin(status, withHeaders(JSON_HEADERS, answerHeaders, headers), body);
    }
  }

  /** Gives up an answer that cannot be made or sent: an error replaces it if no response has begun; else the connection ends. */
  fail(error: unknown): void {
    if (this.#isBroken) return;
    const body = this.#failed(error);
    if (this.#response) this.#stream?.destroy('failed');
    else this.#begin(500, JSON_HEADERS, body);
  }

  /** The response was sent, but for some bytes that its client still has to read. */
  #sent(waiting: number): void {
    if (waiting > 0) this.services.unread.hold(this.call, waiting);
  }

  /**
   * The response could not be made or sent. This ends only this exchange, and its requests are cancelled.
   * @returns the message that replaces the answer
   */
  #failed(error: unknown): string {
    this.#isBroken = true;
    const { conversation, call, ids } = this;
    const errorId = randomUUID();
    const [id] = ids.length === 1 ? ids : [];
    const exchange = { headers: call.request.headers, caller: call.caller };
    const fields = callFields({ method: this.#method, ...(id !== undefined && { id }), exchange });
    this.services.logger.error({ errorId, ...fields, err: error }, 'An answer could not be sent');
    for (const id of ids) conversation.running.cancel(id, endedCall('SIGIL_CLIENT_GONE'));
    const message = `Internal error (id ${errorId}). The server's log has the details under this id.`;
    return writeError(id ?? conversation.revision.unreadableId, { code: ERROR_CODES['internal-error'], message });
  }

  /** The code that sends need not handle failures of sending. */
  #try<T>(send: () => T): T | undefined {
    if (this.#isBroken) return undefined;
    try {
      return send();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** Sends a stream with only this message. Returns false if a stream must be opened for it. */
  #sendWhole(text: string): boolean {
    const session = this.#resumable;
    const events = session ? session.writeWhole(text) : frame({ data: text });
    if (events === undefined) return false;
    const body = new WholeStream(events, this.call, this.services.kernel.context.observers);
    this.#begin(200, withHeaders(SSE_HEADERS, this.call.answerHeaders), body);
    return true;
  }

  #endStream(answers: readonly WrittenAnswer[]): void {
    this.#open().end(answers.map(({ text }) => text));
    const stream = this.#stream;
    // What ends before its head is sent is sent as a whole, and counted then.
    if (stream?.isSending) this.#sent(stream.isEnded ? stream.unread : lengthOf(answers));
  }

  #begin(status: number, headers: HttpResponse['headers'], body?: HttpResponse['body']): void {
    this.#response = {
      status,
      headers,
      ...(body !== undefined && { body }),
      sent: (waiting) => this.#sent(waiting),
      failed: (error) => this.#failed(error),
    };
    this.#respond?.(this.#response);
  }

  /** Opens the stream that is the response. */
  #open(): Outlet {
    if (this.#outlet) return this.#outlet;
    const { call, services } = this;
    const stream = services.streams.open({ call, kind: 'post' });
    this.#stream = stream;
    this.#outlet = this.#resumable?.openStream(stream, this.ids) ?? new PlainOutlet(stream);
    this.#begin(200, withHeaders(SSE_HEADERS, call.answerHeaders), stream);
    return this.#outlet;
  }

  /** Its session, if its client can ask for the events of a stream again. */
  get #resumable(): Session | undefined {
    return this.conversation.revision.http.replay ? this.session : undefined;
  }
}

function lengthOf(answers: readonly WrittenAnswer[]): number {
  return answers.reduce((length, { text }) => length + text.length, 0);
}
