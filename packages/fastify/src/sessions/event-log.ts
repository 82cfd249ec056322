/** What a session's streams have sent, so that a client that lost its connection gets the rest. */

/** One message, as it can be replayed. */
export interface LoggedEvent {
  /** Names the stream and the place in it. */
  readonly id: string;
  readonly data: string;
}

/** Events of one stream, after one that the client has. */
export interface Replay {
  readonly stream: string;
  readonly events: readonly LoggedEvent[];
  /** Whether the log holds anything of the stream; if not, only a stream that is still open can tell what follows. */
  readonly isLogged: boolean;
}

/** Events that are kept for a session; the oldest go when there are more, or when they are too long together. */
const MOST_EVENTS = 1000;
const MOST_CHARACTERS = 1024 * 1024;

/** The log of one session. An id is good for the stream it names and no other, and is given out once. */
export class EventLog {
  readonly #events: (LoggedEvent & { readonly stream: string; readonly place: number })[] = [];
  /** Counted over all streams: a stream that the log has forgotten must not begin again with ids that it has used. */
  #nextPlace = 0;
  #characters = 0;

  get size(): number {
    return this.#events.length;
  }

  /** An id without an event: whoever names it gets what follows it on the stream. */
  mark(stream: string): string {
    return `${stream}-${this.#nextPlace++}`;
  }

  /**
   * Adds an event to a stream.
   * @returns the id that the event goes out with
   */
  append(stream: string, data: string): string {
    const place = this.#nextPlace++;
    const id = `${stream}-${place}`;
    this.#events.push({ id, data, stream, place });
    this.#characters += data.length;
    this.#trim();
    return id;
  }

  /** Finds what followed an event on its own stream; undefined for an id that this session cannot have given out. */
  after(id: string): Replay | undefined {
    const cut = id.lastIndexOf('-');
    const stream = id.slice(0, cut);
    const place = Number(id.slice(cut + 1));
    if (!Number.isSafeInteger(place) || place < 0 || place >= this.#nextPlace || `${stream}-${place}` !== id)
      return undefined;
    const logged = this.#events.filter((event) => event.stream === stream);
    return { stream, events: logged.filter((event) => event.place > place), isLogged: logged.length > 0 };
  }

  #trim(): void {
    while (this.#events.length > MOST_EVENTS || (this.#characters > MOST_CHARACTERS && this.#events.length > 1)) {
      this.#characters -= this.#events.shift()?.data.length ?? 0;
    }
  }
}
