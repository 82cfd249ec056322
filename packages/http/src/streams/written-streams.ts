/** The streams of all sessions that this instance writes. */
import type { RequestStream } from './request-stream';
import type { WrittenStreams } from './session-streams';

/** Names streams, renews the open ones, and waits for their end. */
export class OpenWrittenStreams implements WrittenStreams {
  readonly #open = new Set<RequestStream>();
  #lastName = 0;
  #drained: () => void = () => undefined;

  /** @param instance the id of this instance, so that no other one uses the same names */
  constructor(private readonly instance: string) {}

  nextName(): string {
    return `${this.instance}x${this.#lastName++}`;
  }

  opened(stream: RequestStream): void {
    this.#open.add(stream);
  }

  over(stream: RequestStream): void {
    this.#open.delete(stream);
    if (this.#open.size === 0) this.#drained();
  }

  /** Keeps the open streams in the store: they may be silent for longer than streams are stored. */
  keepAll(): void {
    for (const stream of this.#open) stream.keep();
  }

  /** Resolves when none is open. */
  async drain(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
  }
}
