/** A complete event stream with a single answer: its head and its events are sent together. */
import type { EventSource } from '../port';

/** The stream, as an adapter sends it. */
export class WholeStream implements EventSource {
  /** @param whole its events, serialized */
  constructor(readonly whole: string) {}

  open(): void {
    // All was sent with the head.
  }

  discard(): void {
    // Nothing is held.
  }
}
