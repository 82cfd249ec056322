/**
 * Reads an event stream as it arrives.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
import { createParser } from 'eventsource-parser';

/** One event of a stream. */
export interface StreamEvent {
  /** The id after which the stream can be resumed; undefined if the event has none. */
  readonly id?: string | undefined;
  readonly data: string;
}

/**
 * The events of a response, without comments and without an event that is incomplete when the stream ends.
 * @param onRetry receives the milliseconds to wait before the stream is resumed, if the server sends them
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
