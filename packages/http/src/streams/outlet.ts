/** The output of one exchange that has become a stream. */
import { unawaited, type MaybePromise } from '@sigil-mcp/core/adapter';
import type { EventStream } from './event-stream';

/** Sends the messages of a stream; the last of them come with its end. */
export interface Outlet {
  /** Sends one message. A promise means that the client reads too slowly; it resolves when there is room again. */
  send(text: string): MaybePromise<void>;
  /** Sends the last messages, and ends the stream. */
  end(texts: readonly string[]): void;
  /** Releases the connection while messages may still follow; undefined if a client could not reconnect for them. */
  release?(): void;
}

/** A stream that ends with its connection, for revisions and settings without replay. */
export class PlainOutlet implements Outlet {
  constructor(private readonly stream: EventStream) {}

  send(text: string): MaybePromise<void> {
    return this.stream.send({ data: text });
  }

  end(texts: readonly string[]): void {
    for (const data of texts) unawaited(this.stream.send({ data }));
    this.stream.end('answered');
  }
}
