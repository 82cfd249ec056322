/** A response of the port as a `Response` of the web. */
import type { EventSource, EventWriter, HttpResponse } from '../port';
import type { WebRequest } from './web-request';

/** Makes the response; an event stream is written while the platform reads it. */
export function webResponse(
  request: WebRequest,
  response: HttpResponse,
  more: Readonly<Record<string, string>>,
): Response {
  const { status, body, sent } = response;
  const headers = { ...response.headers, ...more };
  if (typeof body === 'object' && 'open' in body) return new Response(streamOf(request, body), { status, headers });
  // The platform has all of it: nothing is known about the rest of its way.
  sent?.(0);
  request.closed();
  return new Response(body === undefined || body === '' ? null : webBody(body), { status, headers });
}

/** The types of `Response` do not take bytes of every kind of buffer. */
function webBody(body: string | Uint8Array): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? body : new Uint8Array(body);
}

function streamOf(request: WebRequest, events: EventSource): ReadableStream<Uint8Array> {
  const writer = new WebEventWriter(request);
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        writer.begin(controller, events.whole);
        events.open(writer);
      },
      pull: () => writer.pulled(),
      cancel: () => writer.cancelled(),
    },
    // Nothing is handed over before the platform asks for it, so that what was handed over was read.
    { highWaterMark: 0 },
  );
}

/** Bytes that may wait for the platform to read before its client counts as slow. */
const ROOM = 64 * 1024;
const ENCODER = new TextEncoder();

/** Writes events into a stream of the web. */
class WebEventWriter implements EventWriter {
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** What waits for the platform to ask for it. */
  #waiting: Uint8Array[] = [];
  #unread = 0;
  /** Whether the platform has asked for more than there was. */
  #isAsked = false;
  #isOpen = true;
  #isEnded = false;
  #wasDelivered = false;
  readonly #drained: (() => void)[] = [];

  constructor(private readonly request: WebRequest) {
    request.onAbort = () => this.abort();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether the platform has read everything. */
  get wasDelivered(): boolean {
    return this.#wasDelivered;
  }

  get unread(): number {
    return this.#unread;
  }

  /** @param whole all that will be written; undefined if more will follow */
  begin(controller: ReadableStreamDefaultController<Uint8Array>, whole: string | undefined): void {
    this.#controller = controller;
    if (whole === undefined) return;
    this.write(whole);
    this.end();
  }

  write(text: string): boolean {
    if (!this.#isOpen || this.#isEnded || text === '') return true;
    const bytes = ENCODER.encode(text);
    this.#waiting.push(bytes);
    this.#unread += bytes.length;
    if (this.#isAsked) this.pulled();
    return this.#unread < ROOM;
  }

  onDrain(listener: () => void): void {
    this.#drained.push(listener);
  }

  flush(): void {
    // The platform sends the head by itself.
  }

  end(): void {
    this.#isEnded = true;
    if (this.#isAsked) this.pulled();
  }

  abort(): void {
    if (!this.#isOpen) return;
    this.#controller?.error(new DOMException('The stream was aborted.', 'AbortError'));
    this.#over(false);
  }

  /** The platform asks for more. */
  pulled(): void {
    const bytes = this.#waiting.shift();
    this.#isAsked = bytes === undefined;
    if (bytes) {
      this.#unread -= bytes.length;
      this.#controller?.enqueue(bytes);
      if (this.#unread < ROOM) for (const listener of this.#drained) listener();
    } else if (this.#isEnded && this.#isOpen) {
      this.#controller?.close();
      this.#over(true);
    }
  }

  /** The platform reads no more. */
  cancelled(): void {
    this.#over(false);
  }

  #over(wasDelivered: boolean): void {
    if (!this.#isOpen) return;
    this.#wasDelivered = wasDelivered;
    this.#isOpen = false;
    this.#waiting = [];
    this.#unread = 0;
    this.request.closed();
  }
}
