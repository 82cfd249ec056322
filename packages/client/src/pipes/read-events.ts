/**
 * Reads an event stream as it arrives.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
import { createParser } from 'eventsource-parser';
import { clientError } from '../errors';
import { LONGEST_MESSAGE } from './message-limit';

/** One event of a stream. */
export interface ReceivedEvent {
  /** The type of the event; undefined if it has none. */
  readonly event?: string | undefined;
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
): AsyncGenerator<ReceivedEvent> {
  if (!response.body) return;
  const completed: ReceivedEvent[] = [];
  const parser = createParser({ onEvent: (event) => completed.push(event), onRetry });
  const decoder = new TextDecoder();
  let length = 0;
  for await (const chunk of response.body) {
    // The body of a response is bytes.
    const bytes = chunk as Uint8Array;
    parser.feed(decoder.decode(bytes, { stream: true }));
    length = completed.length > 0 ? 0 : length + bytes.length;
    if (length > LONGEST_MESSAGE) throw clientError('SIGIL_CLIENT_LONG_MESSAGE', { limit: LONGEST_MESSAGE });
    yield* completed.splice(0);
  }
}
