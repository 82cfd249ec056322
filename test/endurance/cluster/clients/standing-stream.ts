/** The stream of a session that belongs to no request, held open for as long as the session is, over many connections. */
import type { Message } from '../../../support/transcript';
import type { InSession } from './in-session';
import { resume } from './resume';
import { StreamRecord } from './stream-record';

/** Opened once for each session. */
export class StandingStream {
  readonly #record: StreamRecord;
  readonly #stopped = new AbortController();
  /** How often a connection has ended. */
  breaks = 0;
  /** Resolves when the stream is over. */
  readonly ended: Promise<void>;
  /** Resolves when it is open for the first time, or over. */
  readonly opened: Promise<void>;
  #open: () => void = () => undefined;

  constructor(
    private readonly client: InSession,
    private readonly onMessage: (message: Message) => void,
  ) {
    this.#record = new StreamRecord(`${client.name}: the stream of the session`, client.world.ledger);
    this.opened = new Promise((resolve) => (this.#open = resolve));
    this.ended = this.#follow().finally(this.#open);
  }

  /** Lets the connection go. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.ended;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopped;
    const take = (message: Message): boolean => {
      this.onMessage(message);
      return false;
    };
    while (this.client.isOpen && !signal.aborted) {
      const response = await resume(this.client, this.#record, signal);
      if (!response) continue;
      this.#open();
      await this.#record.read(response, take);
      this.#record.brokenAt = this.client.world.timeline.now;
      this.breaks++;
    }
  }
}
