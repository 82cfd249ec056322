/** What a client has got of one stream, over all of its connections. */
import { readEvents } from '../../../programs/e2e/read-events';
import type { Message } from '../../../support/transcript';
import type { Ledger } from '../record/ledger';

/** Whether the end of a connection was an end, or the connection broke. */
export type StreamEnd = 'ended' | 'broken';

/** One stream. */
export class StreamRecord {
  readonly #seen = new Set<string>();
  /** The id to come back with. */
  last: string | undefined;
  /** The processes of its connections. */
  readonly lanes: number[] = [];
  /** When it broke, in milliseconds of the timeline. */
  brokenAt = 0;

  constructor(
    private readonly what: string,
    private readonly ledger: Ledger,
  ) {}

  /** Reads a connection to its end, or until a message is the last that is wanted. */
  async read(response: Response, take: (message: Message) => boolean): Promise<StreamEnd | 'taken'> {
    try {
      for await (const { id, data, event } of readEvents(response)) {
        if (id !== undefined) this.#note(id, data);
        if (data !== '' && event !== 'endpoint' && take(JSON.parse(data) as Message)) return 'taken';
      }
      return 'ended';
    } catch {
      return 'broken';
    }
  }

  #note(id: string, data: string): void {
    if (data !== '' && this.#seen.has(id))
      this.ledger.break('duplicates on a stream', `${this.what}: ${id} came twice`);
    if (data !== '') this.#seen.add(id);
    this.last = id;
  }
}
