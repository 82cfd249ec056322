/** The output of one exchange that has become a stream. */
import type { EventStream } from './event-stream';

/** Sends the messages of a stream; the last of them is followed by `end`. */
export interface Outlet {
  /** Sends one message. A promise means that the client reads too slowly; it resolves when there is room again. */
  send(text: string): void | Promise<void>;
  end(): void;
  /** Releases the connection while messages may still follow; undefined if a client could not reconnect for them. */
  release?(): void;
}

/** A stream that ends with its connection, for revisions and settings without replay. */
export class PlainOutlet implements Outlet {
  constructor(private readonly stream: EventStream) {}

  send(text: string): void | Promise<void> {
    return this.stream.send({ data: text });
  }

  end(): void {
    this.stream.end();
  }
}
