/** A stream that ends with its connection. */
import type { Outlet } from './outlet';
import type { SseStream } from './sse-stream';

/** For revisions and settings without replay. */
export class PlainOutlet implements Outlet {
  constructor(private readonly stream: SseStream) {}

  send(text: string): void | Promise<void> {
    return this.stream.send({ data: text });
  }

  end(): void {
    this.stream.end();
  }
}
