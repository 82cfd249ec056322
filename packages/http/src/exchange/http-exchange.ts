/**
 * One POST and its response: JSON, unless a message has to be sent before the answer. Then, or if streams are always
 * wanted, the response becomes an event stream; its status was decided before. It is never what the client does not accept.
 */
import type { Caller, RequestHeaders } from '@sigil-mcp/core';
import {
  readAddress,
  type WrittenAnswer,
  type Conversation,
  type Exchange,
  type MaybePromise,
  type MirroredArgument,
  type Network,
} from '@sigil-mcp/core/adapter';
import type { RequestId } from '@sigil-mcp/protocol';
import { type HttpCall, distinctHeaders } from '../call';
import { answerTypeOf, type AnswerType } from '../checks/head-checks';
import { checkMirroredArguments } from '../checks/mirrored-headers';
import type { StreamMode } from '../options/endpoint-options';
import type { EventSource, HttpResponse } from '../port';
import { JSON_HEADERS, SSE_HEADERS, withHeaders } from '../responses';
import type { Session } from '../sessions/session';
import type { EventStream } from '../streams/event-stream';
import type { Outlet } from '../streams/outlet';
import { OVER_HTTP } from './network';

/** A stream of an exchange: what is sent on it, and the response that it is. */
export interface OpenedStream {
  readonly outlet: Outlet;
  readonly stream: EventStream;
}

/** The requests of one POST, and their context. */
export interface Setting {
  readonly conversation: Conversation;
  readonly call: HttpCall;
  /** The session to which the client can reconnect, if there is one. */
  readonly session?: Session | undefined;
}

/** The requests of an exchange. */
export interface ExchangeRequests extends Setting {
  /** For the log. */
  readonly method: string;
  readonly ids: readonly RequestId[];
}

/** What an exchange needs of its endpoint. */
export interface ExchangeHost {
  /** `always`: every answer is a stream, also one without earlier messages. */
  readonly mode: StreamMode;
  /** Whether there are sessions. */
  readonly hasSessions: boolean;
  /** Opens a stream for the response. */
  openStream(asked: ExchangeRequests): OpenedStream;
  /** A stream with only this message; undefined if a stream must be opened for it. */
  writeWhole(asked: ExchangeRequests, text: string): EventSource | undefined;
  /** Called when a response was sent, with the bytes that its client still has to read. */
  sent(asked: ExchangeRequests, waiting: number): void;
  /** Called with an error while sending; returns the message that replaces the answer. */
  failed(asked: ExchangeRequests, error: unknown): string;
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

/** The two ways in which an exchange ends. */
export interface End<T> {
  /** Sends the answer; errors are passed to `fail`. */
  finish(value: T): void;
  /** Never throws. */
  fail(error: unknown): void;
}

/** Ends an exchange with its answer. */
export function finishWith<T>(end: End<T>, value: T): void {
  try {
    end.finish(value);
  } catch (error) {
    end.fail(error);
  }
}

/** Why a client cannot be asked. */
const NO_STREAM =
  'The client accepts no event stream in answer to this request, so it cannot be asked anything. Its Accept header must name text/event-stream.';

/** The exchange of one POST. */
export class HttpExchange implements Exchange {
  #response: HttpResponse | undefined;
  /** Takes the response that is waited for. */
  #respond: ((response: HttpResponse) => void) | undefined;
  #opened: OpenedStream | undefined;
  #headers: RequestHeaders | undefined;
  /** Whether sending has failed: nothing more is sent. */
  #isBroken = false;
  /** What its client accepts. */
  readonly #type: AnswerType | undefined;

  constructor(
    private readonly asked: ExchangeRequests,
    private readonly host: ExchangeHost,
  ) {
    this.#type = answerTypeOf(asked.call.request);
  }

  /** The response: at once, if it has begun. */
  get response(): MaybePromise<HttpResponse> {
    return this.#response ?? new Promise((resolve) => (this.#respond = resolve));
  }

  get headers(): RequestHeaders {
    return (this.#headers ??= this.asked.call.visibleHeaders);
  }

  get address(): string {
    return readAddress(this.asked.call.request.address);
  }

  get caller(): Caller {
    return this.asked.call.caller;
  }

  get network(): Network {
    return OVER_HTTP;
  }

  get sessionId(): string | undefined {
    return this.asked.session?.id;
  }

  get hearsChanges(): boolean {
    const { mode, hasSessions } = this.host;
    return mode !== 'buffered' && (hasSessions || !this.asked.conversation.revision.http.getStream);
  }

  get session(): object | undefined {
    return this.asked.session;
  }

  get unreachable(): string | undefined {
    return this.#type === 'json' ? NO_STREAM : undefined;
  }

  /** A client that accepts JSON alone misses what comes before the answer. */
  notify(text: string): void | Promise<void> {
    if (this.#type === 'json') return undefined;
    return this.#try(() => this.#stream().outlet.send(text));
  }

  /** Releases the connection. Opens the stream first if necessary, because only then can the client reconnect. */
  release(): void {
    if (this.#type !== 'json') this.#try(() => this.#stream().outlet.release?.());
  }

  /** Compares arguments with headers, if the revision mirrors them. Throws `header-mismatch`. */
  checkMirrored(mirrored: readonly MirroredArgument[], sent: unknown): void {
    const { conversation, call } = this.asked;
    if (!conversation.revision.http.mirrorsArguments) return;
    const names = mirrored.map(({ header }) => header);
    const mismatch = checkMirroredArguments(distinctHeaders(call.request, names), mirrored, sent);
    if (mismatch) throw mismatch;
  }

  /**
   * Sends the answers, and nothing after them. Without answers, because the messages need none or because the
   * request was cancelled, the message is acknowledged: 202.
   */
  finish(answers: readonly WrittenAnswer[], how: Finish = {}): void {
    this.#try(() => this.#send(answers, how));
  }

  /** Gives up an answer that cannot be made or sent: an error replaces it if no response has begun; else the connection ends. */
  fail(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const body = this.host.failed(this.asked, error);
    if (this.#response) this.#opened?.stream.destroy('failed');
    else this.#begin(500, JSON_HEADERS, body);
  }

  #send(answers: readonly WrittenAnswer[], { status = 200, headers, isBatch = false }: Finish): void {
    const [first] = answers;
    const isWanted = this.#type === 'stream' || (this.host.mode === 'always' && this.#type !== 'json');
    const isStream = isWanted && first && status === 200 && !isBatch;
    if (!this.#opened && isStream && this.#sendWhole(first.text)) return;
    if (this.#opened || isStream) {
      const { outlet, stream } = this.#stream();
      outlet.end(answers.map(({ text }) => text));
      // What ends before its head is sent is sent as a whole, and counted then.
      if (stream.isSending) this.host.sent(this.asked, stream.isEnded ? stream.unread : lengthOf(answers));
    } else if (!first) this.#begin(202, this.asked.call.answerHeaders ?? {});
    else {
      const body = isBatch ? `[${answers.map(({ text }) => text).join(',')}]` : (first.bytes?.() ?? first.text);
      this.#begin(status, withHeaders(JSON_HEADERS, this.asked.call.answerHeaders, headers), body);
    }
  }

  #sendWhole(text: string): boolean {
    const body = this.host.writeWhole(this.asked, text);
    if (body) this.#begin(200, withHeaders(SSE_HEADERS, this.asked.call.answerHeaders), body);
    return body !== undefined;
  }

  #begin(status: number, headers: HttpResponse['headers'], body?: HttpResponse['body']): void {
    this.#response = new ExchangeResponse({ status, headers, body }, this);
    this.#respond?.(this.#response);
  }

  /** The response was sent, but for some bytes. */
  sent(waiting: number): void {
    this.host.sent(this.asked, waiting);
  }

  /** The response could not be sent. Returns what is sent in its place. */
  failed(error: unknown): string {
    this.#isBroken = true;
    return this.host.failed(this.asked, error);
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

  #stream(): OpenedStream {
    if (this.#opened) return this.#opened;
    const opened = this.host.openStream(this.asked);
    this.#opened = opened;
    this.#begin(200, withHeaders(SSE_HEADERS, this.asked.call.answerHeaders), opened.stream);
    return opened;
  }
}

/** The response of an exchange, which is notified of how it was sent. */
class ExchangeResponse implements HttpResponse {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  readonly body: string | Uint8Array | EventSource | undefined;

  constructor(
    { status, headers, body }: Pick<HttpResponse, 'status' | 'headers'> & { readonly body: HttpResponse['body'] },
    private readonly exchange: HttpExchange,
  ) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  sent(waiting: number): void {
    this.exchange.sent(waiting);
  }

  failed(error: unknown): string {
    return this.exchange.failed(error);
  }
}

function lengthOf(answers: readonly WrittenAnswer[]): number {
  return answers.reduce((length, { text }) => length + text.length, 0);
}
