/** The events of a session's streams, so that a client that lost its connection can receive the rest. */
import type { EventStore, StoredEvent } from './event-store';
import { Place, Queue } from './queue';

/** One message that can be replayed. */
export interface LoggedEvent {
  /** Identifies the stream and the position in it. */
  readonly id: string;
  readonly data: string;
}

/** The events of one stream after the last one that the client has. */
export interface Replay {
  readonly stream: LogStream;
  readonly events: readonly LoggedEvent[];
}

/** A stored event: in the chain of its stream, in the queue of its session, and in the queue of all sessions. */
class KeptEvent implements StoredEvent, LoggedEvent {
  readonly inLog: Place<KeptEvent>;
  readonly inStore: Place<StoredEvent>;
  /** The next event on its stream. */
  next: KeptEvent | undefined = undefined;

  constructor(
    readonly data: string,
    readonly stream: LogStream,
    readonly place: number,
    private readonly log: EventLog,
  ) {
    this.inLog = new Place<KeptEvent>(this);
    this.inStore = new Place<StoredEvent>(this);
  }

  get id(): string {
    return eventId(this.stream, this.place);
  }

  drop(): void {
    this.log.forget(this);
  }
}

/** One stream of a session, with its stored events. Its name is unique. */
export class LogStream {
  /** The oldest stored event, which is dropped first. */
  first: KeptEvent | undefined = undefined;
  last: KeptEvent | undefined = undefined;
  /** The number of stored events. */
  size = 0;
  /** The position of the last event that was dropped: a client with an older position would miss something. */
  dropped = -1;
  /** When all of it had been delivered; undefined until then. */
  deliveredAt: number | undefined = undefined;

  /** @param begin the next position of the log: earlier ones belong to other streams */
  constructor(
    readonly name: string,
    readonly begin = 0,
  ) {}
}

/** The log of one session. An id is valid only for its own stream, and is assigned once. */
export class EventLog {
  /** The events of all streams, the oldest first. */
  readonly #events = new Queue<KeptEvent>();
  /** Counted over all streams: a stream that the log has forgotten must not reuse ids. */
  #nextPlace = 0;
  #characters = 0;
  #isOver = false;

  /** @param store counts the events of all sessions */
  constructor(private readonly store: EventStore) {}

  /** The number of events. */
  get size(): number {
    return this.#events.size;
  }

  /** Adds a stream to this log. */
  begin(name: string): LogStream {
    return new LogStream(name, this.#nextPlace);
  }

  /** An id without an event: a client that sends it receives all later events of the stream. */
  mark(stream: LogStream): string {
    return eventId(stream, this.#nextPlace++);
  }

  /**
   * Adds an event to a stream. If there are too many, the oldest of the stream, of the session and of all sessions are dropped.
   * @returns the id of the event
   */
  append(stream: LogStream, data: string): string {
    const place = this.#nextPlace++;
    if (this.#isOver) return eventId(stream, place);
    const event = new KeptEvent(inOnePiece(data), stream, place, this);
    if (stream.last) stream.last.next = event;
    stream.first ??= event;
    stream.last = event;
    stream.size += 1;
    this.#events.add(event.inLog);
    this.#characters += data.length;
    const { streamEvents, sessionEvents } = this.store.limits;
    while (stream.size > streamEvents) stream.first.drop();
    while (this.#characters > sessionEvents && this.#events.size > 1) this.#events.first?.drop();
    this.store.add(event.inStore);
    return event.id;
  }

  /** The events of a stream after a position; all stored ones without a position. */
  since(stream: LogStream, place = -1): readonly LoggedEvent[] {
    const events: LoggedEvent[] = [];
    for (let event = stream.first; event; event = event.next) if (event.place > place) events.push(event);
    return events;
  }

  /**
   * Finds the events after an event on its own stream.
   * @param open the streams that have not ended; the log finds all others by their events
   * @returns `unknown` for an id that this session cannot have assigned, `gone` if a later event is no longer stored
   */
  after(id: string, open: readonly LogStream[]): Replay | 'unknown' | 'gone' {
    const name = streamOf(id);
    const place = Number(id.slice(name.length + 1));
    if (!Number.isSafeInteger(place) || place < 0 || place >= this.#nextPlace || `${name}-${place}` !== id)
      return 'unknown';
    const stream = open.find((one) => one.name === name) ?? this.#find(name);
    if (stream && place < stream.begin) return 'unknown';
    if (!stream || place < stream.dropped) return 'gone';
    return { stream, events: this.since(stream, place) };
  }

  /** Drops the events of a stream that no client will resume. */
  release(stream: LogStream): void {
    while (stream.first) stream.first.drop();
  }

  /** Drops everything and stores no more events: the session has ended. */
  end(): void {
    this.#isOver = true;
    for (const event of this.#events) event.drop();
  }

  /** Drops an event, which is the oldest of its stream. */
  forget(event: KeptEvent): void {
    const { stream, data, place } = event;
    if (!this.#events.remove(event.inLog)) return;
    stream.first = event.next;
    stream.last = event.next && stream.last;
    stream.size -= 1;
    stream.dropped = Math.max(stream.dropped, place);
    this.#characters -= data.length;
    this.store.remove(event.inStore);
  }

  /** Searches all events for a stream that has ended: there are many streams, and clients resume few of them. */
  #find(name: string): LogStream | undefined {
    for (const { stream } of this.#events) if (stream.name === name) return stream;
    return undefined;
  }
}

/** The stream name in an id. */
export function streamOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('-')));
}

function eventId({ name }: LogStream, place: number): string {
  return `${name}-${place}`;
}

/** V8 represents a concatenated text by its pieces until a character of it is read. */
function inOnePiece(text: string): string {
  return Number.isNaN(text.charCodeAt(0)) ? '' : text;
}
