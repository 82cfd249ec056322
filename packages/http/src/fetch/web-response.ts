/** A response of the port as a `Response` of the web. */
import type { EventSource, EventWriter, HttpResponse } from '../port';
import type { WebRequest } from './web-request';

/** Makes the response; an event stream is written while the platform reads it. */
export function webResponse(
  request: WebRequest,
  response: HttpResponse,
  more: Readonly<Record<string, string>>,
): Response {
  const { status, body } = response;
  const vary = [response.headers['vary'], more['vary']].filter((each) => each !== undefined).join(', ');
  const headers = { ...response.headers, ...more, ...(vary !== '' && { vary }) };
  if (typeof body === 'object' && 'open' in body)
    return new Response(streamOf(request, body, response), { status, headers });
  const bytes = typeof body === 'string' ? ENCODER.encode(body) : (body ?? NOTHING);
  // A platform is not asked to hold much: a large body is handed over as it is read.
  if (bytes.length > LARGE) {
    const text = new LargeBody(request, bytes);
    response.sent?.(bytes.length);
    return new Response(text.stream, { status, headers: { ...headers, 'content-length': String(bytes.length) } });
  }
  response.sent?.(0);
  request.closed();
  if (status === 204) return new Response(null, { status, headers });
  return new Response(new Uint8Array(bytes), {
    status,
    headers: { ...headers, 'content-length': String(bytes.length) },
  });
}

const ENCODER = new TextEncoder();
/** Bytes of a body that a platform gets at once. */
const LARGE = 64 * 1024;
const NOTHING = new Uint8Array();

/** A body that is handed over piece by piece, as the platform asks for it. */
class LargeBody {
  #at = 0;
  readonly stream: ReadableStream<Uint8Array>;

  constructor(
    private readonly request: WebRequest,
    private readonly bytes: Uint8Array,
  ) {
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          request.onAbort = () => controller.error(new DOMException('The response was aborted.', 'AbortError'));
        },
        pull: (controller) => this.#pull(controller),
        cancel: () => this.request.closed(),
      },
      { highWaterMark: 0 },
    );
  }

  #pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (this.#at >= this.bytes.length) {
      controller.close();
      this.request.closed();
      return;
    }
    const end = this.#at + LARGE;
    controller.enqueue(this.bytes.subarray(this.#at, end));
    this.#at = end;
  }
}

function streamOf(request: WebRequest, events: EventSource, response: HttpResponse): ReadableStream<Uint8Array> {
  const writer = new WebEventWriter(request);
  const { whole } = events;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        writer.begin(controller, whole);
        events.open(writer);
        if (whole !== undefined) response.sent?.(writer.unread);
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
/** Bytes that mean nothing to the reader of an event stream. */
const COMMENT = ':\n\n';

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
  #hasWritten = false;
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
    this.#hasWritten = true;
    const bytes = ENCODER.encode(text);
    // In pieces: what a platform has asked for, it may hold.
    for (let at = 0; at < bytes.length; at += LARGE) this.#waiting.push(bytes.subarray(at, at + LARGE));
    this.#unread += bytes.length;
    if (this.#isAsked) this.pulled();
    return this.#unread < ROOM;
  }

  onDrain(listener: () => void): void {
    this.#drained.push(listener);
  }

  /** Some platforms, such as Bun, send the head only with the first bytes of the body. */
  flush(): void {
    if (!this.#hasWritten) this.write(COMMENT);
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
