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
}

/** Per session; the oldest events go when there are too many. */
const MOST_EVENTS = 1000;
const MOST_CHARACTERS = 1024 * 1024;

/** The log of one session. An id is good for the stream it names and no other. */
export class EventLog {
  readonly #events: (LoggedEvent & { readonly stream: string; readonly place: number })[] = [];
  readonly #lengths = new Map<string, number>();
  #characters = 0;

  /** @returns the id that the event goes out with */
  append(stream: string, data: string): string {
    const place = this.#lengths.get(stream) ?? 0;
    this.#lengths.set(stream, place + 1);
    const id = `${stream}-${place}`;
    this.#events.push({ id, data, stream, place });
    this.#characters += data.length;
    this.#trim();
    return id;
  }

  /** What followed an event on its own stream; undefined for an id that this session never gave out. */
  after(id: string): Replay | undefined {
    const cut = id.lastIndexOf('-');
    const stream = id.slice(0, cut);
    const place = Number(id.slice(cut + 1));
    const length = this.#lengths.get(stream);
    if (length === undefined || !Number.isSafeInteger(place) || place < 0 || place >= length || `${stream}-${place}` !== id) return undefined;
    return { stream, events: this.#events.filter((event) => event.stream === stream && event.place > place) };
  }

  #trim(): void {
    while (this.#events.length > MOST_EVENTS || (this.#characters > MOST_CHARACTERS && this.#events.length > 1)) {
      this.#characters -= this.#events.shift()?.data.length ?? 0;
    }
    if (this.#lengths.size > MOST_EVENTS) this.#forgetOldStreams();
  }

  /** A stream without a logged event has nothing to replay. */
  #forgetOldStreams(): void {
    const alive = new Set(this.#events.map(({ stream }) => stream));
    for (const stream of this.#lengths.keys()) if (!alive.has(stream)) this.#lengths.delete(stream);
  }
}
