/** A `Request` of the web as the port has it. */
import type { Clock } from '@sigil-mcp/core';
import type { HttpRequest } from '../port';
import { refusal, type Refusal } from '../call';

/** The address of a client that the platform does not name: an address of the unspecified kind, which no client has. */
const UNKNOWN_ADDRESS = '0.0.0.0';
/** Milliseconds that a body may take, as with the Fastify adapter. */
const LONGEST_BODY = 30_000;
/** Headers that may come once; the platform has joined several of them with commas. */
const SINGLE = ['host', 'content-type'];

/** Reads a request. Its connection ends with its signal, or when the body of its response is cancelled or sent. */
export class WebRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly string[];
  readonly body: AsyncIterable<Uint8Array> | undefined;
  readonly httpVersion = '2.0';
  #listeners: Set<() => void> | undefined = new Set();
  #abort: (() => void) | undefined;

  constructor(
    private readonly request: Request,
    private readonly addressOf: (request: Request) => string | undefined,
    clock: () => Clock,
  ) {
    const url = new URL(request.url);
    this.method = request.method;
    this.target = `${url.pathname}${url.search}`;
    // The host of a request is in its URL; platforms may leave the header out.
    this.headers = { host: url.host, ...Object.fromEntries(request.headers) };
    this.rawHeaders = Object.entries(this.headers).flatMap(([name, value]) =>
      (SINGLE.includes(name) ? value.split(', ') : [value]).flatMap((one) => [name, one]),
    );
    this.body = request.body ? this.#pieces(request.body, clock) : undefined;
    const end = (): void => this.closed();
    request.signal.addEventListener('abort', end, { once: true });
    this.onClosed(() => request.signal.removeEventListener('abort', end));
    if (request.signal.aborted) end();
  }

  get address(): string {
    return this.addressOf(this.request) ?? UNKNOWN_ADDRESS;
  }

  /** Connections are not known here: each request counts as its own. */
  get connection(): object {
    return this;
  }

  onClosed(listener: () => void): () => void {
    const listeners = this.#listeners;
    if (!listeners) {
      listener();
      return () => undefined;
    }
    // A listener may be given twice.
    const one = (): void => listener();
    listeners.add(one);
    return () => void listeners.delete(one);
  }

  abort(): void {
    this.#abort?.();
    this.closed();
  }

  /** What ends the response, once there is one. */
  set onAbort(abort: () => void) {
    this.#abort = abort;
  }

  /** The response was sent, or the client has gone. */
  closed(): void {
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener();
  }

  /** The pieces of a body, until it takes too long or its client has gone; a body that is not read to its end is cancelled. */
  async *#pieces(body: ReadableStream<unknown>, clock: () => Clock): AsyncGenerator<Uint8Array> {
    if (this.request.bodyUsed || body.locked) throw refusal(500, 'The body was read before the handler.');
    const reader = body.getReader();
    let failure: Refusal | undefined;
    // A read that is pending ends with it.
    const end = (status: number, words: string): void => {
      failure ??= refusal(status, words);
      void reader.cancel().catch(() => undefined);
    };
    const late = `The body did not arrive within ${LONGEST_BODY / 1000} seconds.`;
    const timer = clock()
      .after(LONGEST_BODY, () => end(408, late))
      .unref();
    const stop = this.onClosed(() => end(400, 'The request could not be read.'));
    let isOver = false;
    try {
      for (;;) {
        const { done, value } = await reader.read().catch(() => {
          throw refusal(400, 'The request could not be read.');
        });
        if (failure) throw failure;
        isOver = done;
        if (done) return;
        if (!(value instanceof Uint8Array)) throw refusal(400, 'The body of the request is not made of bytes.');
        yield value;
      }
    } finally {
      timer.close();
      stop();
      if (!isOver) await reader.cancel().catch(() => undefined);
    }
  }
}
