/** A complete event stream with a single answer: its head and its events are sent together. */
import type { EventSource, EventWriter } from '../port';

/** The stream, as an adapter sends it. */
export class WholeStream implements EventSource {
  /** @param whole its events, serialized */
  constructor(readonly whole: string) {}

  open(_writer: EventWriter): void {
    // All was sent with the head.
  }

  discard(): void {
    // Nothing is held.
  }
}
