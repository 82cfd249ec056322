/** Sends event streams as responses of Node. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { EventSource, EventWriter, HttpResponse } from '../port';
import { SSE_HEADERS } from '../call';

/** Sends the head of a response and its events. Errors while sending end the response, and `close` reports that. */
export function sendEvents(
  response: ServerResponse,
  head: OutgoingHttpHeaders,
  answer: HttpResponse,
  events: EventSource,
): void {
  const writer = new NodeEventWriter(response);
  const { whole } = events;
  if (whole === undefined) writer.begin(head);
  else writer.writeWhole(head, whole);
  // What was passed to the system can fail no more.
  if (whole === undefined || !writer.isOpen || writer.unread > 0) swallowErrors(response);
  events.open(writer);
  if (whole !== undefined) answer.sent?.(writer.unread);
}

/** An error on a response ends only that response: it is destroyed, and its `close` reports the end. */
export function swallowErrors(response: ServerResponse): void {
  response.on('error', swallow);
}

function swallow(): void {
  // The `close` of the response reports its end.
}

/** Writes events on a response of Node. An error means that the connection broke, which `close` of the response reports. */
class NodeEventWriter implements EventWriter {
  constructor(private readonly response: ServerResponse) {}

  get isOpen(): boolean {
    return !this.response.destroyed && this.response.socket?.destroyed !== true;
  }

  get wasDelivered(): boolean {
    return this.response.writableFinished;
  }

  get unread(): number {
    return this.response.writableLength;
  }

  write(text: string): boolean {
    return this.#attempt(() => this.response.write(text)) ?? true;
  }

  begin(head: OutgoingHttpHeaders): void {
    this.#attempt(() => this.response.writeHead(200, head));
  }

  writeWhole(head: OutgoingHttpHeaders, text: string): void {
    this.#attempt(() => this.response.writeHead(200, sized(head, Buffer.byteLength(text))).end(text));
  }

  onDrain(listener: () => void): void {
    this.response.on('drain', listener);
  }

  flush(): void {
    this.#attempt(() => this.response.flushHeaders());
  }

  end(): void {
    this.#attempt(() => this.response.end());
  }

  abort(): void {
    this.response.destroy();
  }

  #attempt<T>(write: () => T): T | undefined {
    try {
      return write();
    } catch {
      this.response.destroy();
      return undefined;
    }
  }
}

/** Headers with the length of a body. Node writes a literal faster than a copy, and most streams have only these headers. */
function sized(head: OutgoingHttpHeaders, length: number): OutgoingHttpHeaders {
  if (head !== SSE_HEADERS) return { ...head, 'content-length': length };
  return {
    'content-type': SSE_HEADERS['content-type'],
    'cache-control': SSE_HEADERS['cache-control'],
    'x-accel-buffering': SSE_HEADERS['x-accel-buffering'],
    'content-length': length,
  };
}
