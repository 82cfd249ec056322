/** When a stream that broke is opened again. */
import type { Clock } from '@sigil-mcp/base';
import { pause } from '../pause';

/** Milliseconds before a stream without `retry` is opened again; doubled as long as it brings nothing. */
const FIRST_WAIT = 100;
const LONGEST_WAIT = 5000;
/** Milliseconds that are waited in any case, so that a server that says 0 is not asked without a pause. */
const SHORTEST_WAIT = 10;
/** Times in a row that a stream may fail to open. */
const MOST_FAILURES = 5;

/** The position of a stream, and the pauses before it is opened again. */
export class Resumption {
  /** The id of the last event that arrived, as a header carries it; undefined if no event had one. */
  lastId: string | undefined;
  /** Milliseconds that the server wants to pass before the stream is opened again. */
  retry: number | undefined;
  #idle = 0;
  #failures = 0;

  constructor(private readonly clock: Clock) {}

  /** Notes that an event arrived. */
  arrived(id: string | undefined): void {
    if (id !== undefined) this.lastId = headerOf(id);
    this.#idle = 0;
  }

  /** Waits until the stream may be opened again. @throws the reason of the signal */
  async pause(signal: AbortSignal): Promise<void> {
    const growing = Math.min(FIRST_WAIT * 2 ** this.#idle, LONGEST_WAIT);
    this.#idle += 1;
    await pause(this.clock, Math.max(this.retry ?? growing, SHORTEST_WAIT), signal);
  }

  /** Notes that the stream was opened. */
  opened(): void {
    this.#failures = 0;
  }

  /** Notes that it could not be opened. @returns whether it should be tried again */
  failed(): boolean {
    this.#failures += 1;
    return this.#failures < MOST_FAILURES;
  }
}

/** An id as a header carries it: in UTF-8. The empty one takes back all before it, and one that no header can carry is worth as much. */
function headerOf(id: string): string | undefined {
  // eslint-disable-next-line no-control-regex -- what a header cannot carry
  return id === '' || /[\u0000-\u001f\u007f]/.test(id) ? undefined : Buffer.from(id, 'utf8').toString('latin1');
}
