/**
 * One POST and its response: JSON, unless a message has to be sent before the answer. Then, or if streams are always
 * wanted, the response becomes an event stream; its status was decided before.
 */
import type { Caller, RequestHeaders } from '@sigil-mcp/core';
import {
  readAddress,
  unawaited,
  type Answer,
  type Exchange,
  type MaybePromise,
  type MirroredArgument,
} from '@sigil-mcp/core/adapter';
import type { HttpCall } from '../call';
import { distinctHeaders } from '../checks/distinct-headers';
import { checkMirroredArguments } from '../checks/mirrored-headers';
import type { StreamMode } from '../options/endpoint-options';
import type { EventSource, HttpResponse } from '../port';
import { JSON_HEADERS, withHeaders } from '../responses';
import type { EventStream } from '../streams/event-stream';
import type { Outlet } from '../streams/outlet';
import { SSE_HEADERS } from '../streams/sse-event';

/** A stream of an exchange: what is sent on it, and the response that it is. */
export interface OpenedStream {
  readonly outlet: Outlet;
  readonly stream: EventStream;
}

/** The options and callbacks for the answer of a POST. */
export interface AnswerRules {
  /** `always`: every answer is a stream, also one without earlier messages. */
  readonly mode: StreamMode;
  /** Whether the client can be notified of changes. */
  readonly hearsChanges: boolean;
  /** Whether the arguments of tools are repeated in headers. */
  readonly mirrorsArguments: boolean;
  /** Opens a stream for the response. */
  readonly openStream: () => OpenedStream;
  /** A stream with only this message; undefined if a stream must be opened for it. */
  readonly writeWhole: (text: string) => EventSource | undefined;
  /** The session of the request, if there is one. */
  readonly session?: object | undefined;
  /** Called when a response was sent, with the bytes that its client still has to read. */
  readonly sent: (waiting: number) => void;
  /** Called with an error while sending; returns the message that replaces the answer. */
  readonly failed: (error: unknown) => string;
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

/** The exchange of one POST. */
export class HttpExchange implements Exchange {
  #response: HttpResponse | undefined;
  /** Takes the response that is waited for. */
  #respond: ((response: HttpResponse) => void) | undefined;
  #opened: OpenedStream | undefined;
  #headers: RequestHeaders | undefined;
  /** Whether sending has failed: nothing more is sent. */
  #isBroken = false;

  constructor(
    private readonly call: HttpCall,
    private readonly rules: AnswerRules,
  ) {}

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

  get hearsChanges(): boolean {
    return this.rules.hearsChanges;
  }

  get session(): object | undefined {
    return this.rules.session;
  }

  notify(text: string): void | Promise<void> {
    return this.#try(() => this.#stream().outlet.send(text));
  }

  /** Releases the connection. Opens the stream first if necessary, because only then can the client reconnect. */
  release(): void {
    this.#try(() => this.#stream().outlet.release?.());
  }

  /** Compares arguments with headers, if the revision mirrors them. Throws `header-mismatch`. */
  checkMirrored(mirrored: readonly MirroredArgument[], sent: unknown): void {
    if (!this.rules.mirrorsArguments) return;
    const names = mirrored.map(({ header }) => header);
    const mismatch = checkMirroredArguments(distinctHeaders(this.call.request, names), mirrored, sent);
    if (mismatch) throw mismatch;
  }

  /**
   * Sends the answers, and nothing after them. Without answers, because the messages need none or because the
   * request was cancelled, the message is acknowledged: 202.
   */
  finish(answers: readonly Answer[], how: Finish = {}): void {
    this.#try(() => this.#send(answers, how));
  }

  /** Gives up an answer that cannot be made or sent: an error replaces it if no response has begun; else the connection ends. */
  fail(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const body = this.rules.failed(error);
    if (this.#response) this.#opened?.stream.destroy();
    else this.#begin({ status: 500, headers: JSON_HEADERS, body });
  }

  #send(answers: readonly Answer[], { status = 200, headers, isBatch = false }: Finish): void {
    const [first] = answers;
    const isStream = this.rules.mode === 'always' && first && status === 200 && !isBatch;
    if (!this.#opened && isStream && this.#sendWhole(first.text)) return;
    if (this.#opened || isStream) {
      const { outlet, stream } = this.#stream();
      for (const { text } of answers) unawaited(outlet.send(text));
      outlet.end();
      // What ends before its head is sent is sent as a whole, and counted then.
      if (stream.isSending) this.rules.sent(stream.isEnded ? stream.unread : lengthOf(answers));
    } else if (!first) this.#begin({ status: 202, headers: this.call.answerHeaders ?? {} });
    else {
      const body = isBatch ? `[${answers.map(({ text }) => text).join(',')}]` : (first.bytes?.() ?? first.text);
      this.#begin({ status, headers: withHeaders(JSON_HEADERS, this.call.answerHeaders, headers), body });
    }
  }

  #sendWhole(text: string): boolean {
    const body = this.rules.writeWhole(text);
    if (body) this.#begin({ status: 200, headers: withHeaders(SSE_HEADERS, this.call.answerHeaders), body });
    return body !== undefined;
  }

  #begin(response: Omit<HttpResponse, 'sent' | 'failed'>): void {
    const failed = (error: unknown): string => {
      this.#isBroken = true;
      return this.rules.failed(error);
    };
    this.#response = { ...response, sent: this.rules.sent, failed };
    this.#respond?.(this.#response);
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
    const opened = this.rules.openStream();
    this.#opened = opened;
    this.#begin({ status: 200, headers: withHeaders(SSE_HEADERS, this.call.answerHeaders), body: opened.stream });
    return opened;
  }
}

function lengthOf(answers: readonly Answer[]): number {
  return answers.reduce((length, { text }) => length + text.length, 0);
}
