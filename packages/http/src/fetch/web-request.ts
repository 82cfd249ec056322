/** A `Request` of the web as the port has it. */
import type { HttpRequest } from '../port';
import { refusal } from '../refusals/refusal';

/** The address of a client that the platform does not name: an address of the unspecified kind, which no client has. */
const UNKNOWN_ADDRESS = '0.0.0.0';

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
  ) {
    const url = new URL(request.url);
    this.method = request.method;
    this.target = `${url.pathname}${url.search}`;
    // The host of a request is in its URL; platforms may leave the header out.
    this.headers = { host: url.host, ...Object.fromEntries(request.headers) };
    this.rawHeaders = Object.entries(this.headers).flat();
    this.body = request.body ? piecesOf(request.body) : undefined;
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
}

/** The pieces of a body; a body that is not read to its end is cancelled. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw refusal(400, 'The request could not be read.');
      });
      isOver = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isOver) await reader.cancel().catch(() => undefined);
  }
}
