/** A complete event stream with a single answer: its head and its events are sent together. */
import type { EventSource, EventWriter, HttpRequest } from '../port';

/** The contents of such a stream. */
export interface WholeAnswer {
  /** Its events, serialized. */
  readonly body: string;
  /** Called when the stream has ended, with whether all of it was sent. */
  readonly over?: (wasDelivered: boolean) => void;
}

/** The stream, as an adapter sends it. */
export class WholeStream implements EventSource {
  readonly whole: string;

  constructor(
    private readonly answer: WholeAnswer,
    private readonly request: HttpRequest,
  ) {
    this.whole = answer.body;
  }

  open(writer: EventWriter): void {
    const { over } = this.answer;
    if (!over) return;
    // All was handed to the system: there is nothing to wait for.
    if (writer.isOpen && writer.unread === 0) over(true);
    else this.request.onClosed(() => over(writer.wasDelivered));
  }

  discard(): void {
    this.answer.over?.(false);
  }
}
