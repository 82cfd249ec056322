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
  readonly stream: LogStream;
  readonly events: readonly LoggedEvent[];
}

/** An event that the log still has: in the chain of its stream, in the queue of its session, and in that of all sessions. */
class KeptEvent implements StoredEvent, LoggedEvent {
  readonly inLog: Place<KeptEvent>;
  readonly inStore: Place<StoredEvent>;
  /** The one that followed it on its stream. */
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

/** One stream of a session, and what the log keeps of it. Its name is no other's. */
export class LogStream {
  /** The oldest event that is kept, which is the first to go. */
  first: KeptEvent | undefined = undefined;
  last: KeptEvent | undefined = undefined;
  /** How many are kept. */
  size = 0;
  /** The place of the last event that was dropped: whoever has less than that would miss something. */
  dropped = -1;
  /** When all of it had been delivered; undefined until then. */
  deliveredAt: number | undefined = undefined;

  /** @param begin the place that the log gives out next: those before it are other streams' */
  constructor(
    readonly name: string,
    readonly begin = 0,
  ) {}
}

/** The log of one session. An id is good for the stream it names and no other, and is given out once. */
export class EventLog {
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

  /** A stream of this log. */
  begin(name: string): LogStream {
    return new LogStream(name, this.#nextPlace);
  }

  /** An id without an event: whoever names it gets what follows it on the stream. */
  mark(stream: LogStream): string {
    return eventId(stream, this.#nextPlace++);
  }

  /**
   * Adds an event to a stream. The oldest of the stream, of the session and of all sessions go when there are too many.
   * @returns the id that the event goes out with
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

  /** The events of a stream that came after a place in it; all that are kept, if none is named. */
  since(stream: LogStream, place = -1): readonly LoggedEvent[] {
    const events: LoggedEvent[] = [];
    for (let event = stream.first; event; event = event.next) if (event.place > place) events.push(event);
    return events;
  }

  /**
   * Finds what followed an event on its own stream.
   * @param open those on which more may be sent; of the others the log knows by their events
   * @returns `unknown` for an id that this session cannot have given out, `gone` where something that followed is kept no more
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

  /** Forgets the events of a stream that nobody will come back to. */
  release(stream: LogStream): void {
    while (stream.first) stream.first.drop();
  }

  /** Forgets everything, and keeps nothing more: nobody can come back for it. */
  end(): void {
    this.#isOver = true;
    for (const event of this.#events) event.drop();
  }

  /** Keeps an event no more, which is the oldest of its stream. */
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

  /** One that is over is looked for among all events: there are many, and clients come back for few of them. */
  #find(name: string): LogStream | undefined {
    for (const { stream } of this.#events) if (stream.name === name) return stream;
    return undefined;
  }
}

/** The name of the stream that an id is of. */
export function streamOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('-')));
}

function eventId({ name }: LogStream, place: number): string {
  return `${name}-${place}`;
}

/** V8 keeps a text that was put together as its pieces until somebody reads a character of it. */
function inOnePiece(text: string): string {
  return Number.isNaN(text.charCodeAt(0)) ? '' : text;
}
