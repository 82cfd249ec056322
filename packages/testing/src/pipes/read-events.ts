/**
 * Reads an event stream as it comes.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
import { createParser } from 'eventsource-parser';

/** One event of a stream. */
export interface StreamEvent {
  /** The id after which the stream can be taken up again; undefined where the event has none. */
  readonly id?: string | undefined;
  readonly data: string;
}

/**
 * The events of a response; comments are left out, and what has begun when the stream ends.
 * @param onRetry told how many milliseconds to wait before the stream is taken up again, when the server says so
 */
export async function* readEvents(
  response: Response,
  onRetry: (milliseconds: number) => void,
): AsyncGenerator<StreamEvent> {
  if (!response.body) return;
  const completed: StreamEvent[] = [];
  const parser = createParser({ onEvent: (event) => completed.push(event), onRetry });
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    // The body of a response is bytes.
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    yield* completed.splice(0);
  }
}
