/** What a session's streams have sent, so that a client that lost its connection gets the rest. */
import type { EventStore, StoredEvent } from './event-store';
import { Place, Queue } from './queue';

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

/** An event that the log still has: in the queue of its session, and in that of all sessions. */
class KeptEvent implements StoredEvent, LoggedEvent {
  readonly inLog: Place<KeptEvent>;
  readonly inStore: Place<StoredEvent>;

  constructor(
    readonly data: string,
    readonly stream: StreamEvents,
    readonly place: number,
    private readonly log: EventLog,
  ) {
    this.inLog = new Place<KeptEvent>(this);
    this.inStore = new Place<StoredEvent>(this);
  }

  get id(): string {
    return `${this.stream.name}-${this.place}`;
  }

  drop(): void {
    this.log.forget(this);
  }
}

/** What is known of one stream. */
interface StreamEvents {
  readonly name: string;
  /** The oldest first, which is the first to go. */
  readonly kept: KeptEvent[];
  /** The place of the last event that was dropped: whoever has less than that would miss something. */
  dropped: number;
  /** Whether nothing more will be sent on it. */
  isOver: boolean;
}

/** The log of one session. An id is good for the stream it names and no other, and is given out once. */
export class EventLog {
  readonly #streams = new Map<string, StreamEvents>();
  /** Of all streams, the oldest first. */
  readonly #events = new Queue<KeptEvent>();
  /** Counted over all streams: a stream that the log has forgotten must not begin again with ids that it has used. */
  #nextPlace = 0;
  #characters = 0;
  #isOver = false;

  /** @param store where the events of all sessions are counted */
  constructor(private readonly store: EventStore) {}

  /** How many events there are. */
  get size(): number {
    return this.#events.size;
  }

  /** An id without an event: whoever names it gets what follows it on the stream. */
  mark(stream: string): string {
    this.#streamOf(stream);
    return `${stream}-${this.#nextPlace++}`;
  }

  /**
   * Adds an event to a stream. The oldest of the stream, of the session and of all sessions go when there are too many.
   * @returns the id that the event goes out with
   */
  append(name: string, data: string): string {
    const place = this.#nextPlace++;
    if (this.#isOver) return `${name}-${place}`;
    const stream = this.#streamOf(name);
    const event = new KeptEvent(data, stream, place, this);
    stream.kept.push(event);
    this.#events.add(event.inLog);
    this.#characters += data.length;
    const { streamEvents, sessionEvents } = this.store.limits;
    while (stream.kept.length > streamEvents) stream.kept[0]?.drop();
    while (this.#characters > sessionEvents && this.#events.size > 1) this.#events.first?.drop();
    this.store.add(event.inStore);
    return event.id;
  }

  /** The events of a stream that came after a place in it; all that are kept, if none is named. */
  since(stream: string, place = -1): readonly LoggedEvent[] {
    return (this.#streams.get(stream)?.kept ?? []).filter((event) => event.place > place);
  }

  /**
   * Finds what followed an event on its own stream.
   * @returns `unknown` for an id that this session cannot have given out, `gone` where something that followed is kept no more
   */
  after(id: string): Replay | 'unknown' | 'gone' {
    const name = streamOf(id);
    const place = Number(id.slice(name.length + 1));
    if (!Number.isSafeInteger(place) || place < 0 || place >= this.#nextPlace || `${name}-${place}` !== id)
      return 'unknown';
    const stream = this.#streams.get(name);
    if (!stream || place < stream.dropped) return 'gone';
    return { stream: name, events: this.since(name, place) };
  }

  /** Nothing more is added to a stream; it is forgotten with the last of its events. */
  close(name: string): void {
    const stream = this.#streams.get(name);
    if (!stream) return;
    stream.isOver = true;
    this.#forgetEmpty(stream);
  }

  /** Forgets a stream that nobody will come back to. */
  release(name: string): void {
    const stream = this.#streams.get(name);
    for (const event of stream?.kept.slice() ?? []) event.drop();
    this.#streams.delete(name);
  }

  /** Forgets everything, and keeps nothing more: nobody can come back for it. */
  end(): void {
    this.#isOver = true;
    for (const event of this.#events) event.drop();
    this.#streams.clear();
  }

  #streamOf(name: string): StreamEvents {
    const known = this.#streams.get(name);
    if (known) return known;
    const stream: StreamEvents = { name, kept: [], dropped: -1, isOver: false };
    this.#streams.set(name, stream);
    return stream;
  }

  /** Keeps an event no more, which is the oldest of its stream. */
  forget(event: KeptEvent): void {
    const { stream, data, place } = event;
    if (!this.#events.remove(event.inLog)) return;
    stream.kept.shift();
    stream.dropped = Math.max(stream.dropped, place);
    this.#characters -= data.length;
    this.store.remove(event.inStore);
    this.#forgetEmpty(stream);
  }

  #forgetEmpty({ name, isOver, kept }: StreamEvents): void {
    if (isOver && kept.length === 0) this.#streams.delete(name);
  }
}

/** The name of the stream that an id is of. */
export function streamOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('-')));
}
