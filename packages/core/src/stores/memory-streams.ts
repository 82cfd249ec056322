/** Streams of events in memory, but not in the heap: a stream that ended with its only event leaves no object behind. */
import { systemClock, type Clock, type Timer } from '@sigil-mcp/base';
import { EventRing, KINDS, NOWHERE } from './event-ring';
import type { EventLimits, StreamEvent, StreamLimits, StreamName, StreamPart, StreamStore } from './stores';
import { outsideRequests } from '../values/outside-requests';

/** The memory of events that is used beyond their limit, for events that have been dropped between others. */
const UNUSED = 128 * 1024;
/** How often expired streams are dropped within the time for which streams are kept. */
const SWEEPS = 5;

/** Events that are written at once, the end, or both. */
interface StreamWrite {
  readonly after: number;
  readonly events: readonly string[];
  readonly isLast: boolean;
}

/** A stream that was opened, until its last event is dropped. */
interface OpenedStream {
  readonly owner: string;
  /** Its events have at least this address: those before are of an earlier stream with this name. */
  readonly begin: number;
  /** The place of its last event. */
  last: number;
  isOver: boolean;
  until: number;
}

/** A session with streams. */
interface SessionEvents {
  readonly id: string;
  /** Names it in the ring. */
  readonly number: number;
  /** The addresses of its oldest event, and of its newest. */
  first: number;
  last: number;
  /** The bytes of its events. */
  bytes: number;
  /** By their names. */
  opened: Map<string, OpenedStream> | undefined;
}

/** What is kept where nobody has set a limit. */
const NO_LIMITS: EventLimits = { streamEvents: Infinity, sessionEvents: Infinity, events: 32 * 1024 * 1024 };

/** Keeps recently written streams, and of those as many as the limits allow. */
export class MemoryStreams implements StreamStore {
  readonly #ring = new EventRing();
  readonly #sessions = new Map<string, SessionEvents>();
  readonly #numbered = new Map<number, SessionEvents>();
  readonly #followers = new Map<string, Set<() => void>>();
  #lastNumber = 0;
  #limits: EventLimits;
  #sweeper: Timer | undefined;
  readonly #outside = outsideRequests();

  constructor(
    private readonly limits: StreamLimits,
    private readonly clock: Clock = systemClock,
  ) {
    this.#limits = { ...NO_LIMITS, streamEvents: limits.events };
  }

  /** The number of events, the bytes that they take, and the bytes of memory that are allocated for them. */
  get size(): { readonly events: number; readonly bytes: number; readonly allocated: number } {
    const { events, live, allocated } = this.#ring;
    return { events, bytes: live, allocated };
  }

  get held(): number {
    return Math.max(this.#ring.allocated, this.#ring.live);
  }

  shrink(bytes: number): void {
    const most = Math.max(this.held - bytes, 0);
    while (this.held > most && this.#ring.events > 1) this.#dropOldest();
  }

  limit(limits: EventLimits): void {
    this.#limits = limits;
  }

  open({ session: id, stream }: StreamName, owner: string): boolean {
    const known = this.#find({ session: id, stream });
    const until = this.#later();
    if (known) {
      const isWanted = known.owner === owner && !known.isOver;
      if (isWanted) known.until = until;
      return isWanted;
    }
    const session = this.#sessionOf(id);
    const begin = this.#ring.head;
    (session.opened ??= new Map<string, OpenedStream>()).set(stream, { owner, begin, last: 0, isOver: false, until });
    return true;
  }

  append(name: StreamName, after: number, events: readonly string[], isLast = false): boolean {
    const stream = this.#find(name);
    if (!stream || stream.isOver) return false;
    const missing = events.slice(Math.max(stream.last - after, 0));
    if (missing.length === 0 && !isLast) stream.until = this.#later();
    else this.#write(name, stream, { after, events: missing, isLast });
    return true;
  }

  addWhole({ session: id, stream }: StreamName, data: string): void {
    this.#add(this.#sessionOf(id), { stream, place: 1, data, kind: KINDS.last });
  }

  end(name: StreamName, data?: string): boolean {
    const stream = this.#find(name);
    if (!stream || stream.isOver) return false;
    this.#write(name, stream, { after: 0, events: data === undefined ? [] : [data], isLast: true });
    return true;
  }

  read(name: StreamName, after: number, most: number): StreamPart | undefined {
    const session = this.#sessions.get(name.session);
    const opened = this.#find(name);
    const begin = opened?.begin ?? 0;
    const newest = session ? this.#newest(session, name.stream, begin) : NOWHERE;
    if (!opened && (newest === NOWHERE || this.#ring.timeOf(newest) + this.limits.keepFor <= this.clock.elapsed()))
      return undefined;
    const last = opened?.last ?? this.#ring.placeOf(newest);
    if (after > last) return undefined;
    const oldest = Math.max(after, last - this.#limits.streamEvents);
    const following = this.#following(newest, name.stream, { begin, after: oldest });
    const part = following.slice(0, most);
    const first = following[0] ?? NOWHERE;
    return {
      owner: opened?.owner ?? '',
      events: part.filter((at) => this.#ring.kindOf(at) !== KINDS.end).map((at) => this.#event(at)),
      last: part.length === 0 ? after : this.#ring.placeOf(part.at(-1) ?? NOWHERE),
      hasGap: first === NOWHERE ? after < last : this.#ring.placeOf(first) > after + 1,
      isOver: (opened?.isOver ?? true) && part.length === following.length,
    };
  }

  follow({ session, stream }: StreamName, wake: () => void): () => void {
    const key = `${session} ${stream}`;
    const followers = this.#followers.get(key) ?? new Set();
    this.#followers.set(key, followers.add(wake));
    return () => {
      followers.delete(wake);
      if (followers.size === 0 && this.#followers.get(key) === followers) this.#followers.delete(key);
    };
  }

  forget({ session: id, stream }: StreamName): void {
    const session = this.#sessions.get(id);
    if (!session) return;
    session.opened?.delete(stream);
    const newest = this.#newest(session, stream, 0);
    for (const at of this.#following(newest, stream, { begin: 0, after: 0 })) this.#drop(session, at);
    this.#forgetUnused(session);
  }

  /** Drops the streams of a session that has ended. */
  endSession(id: string): void {
    const session = this.#sessions.get(id);
    if (!session) return;
    session.opened = undefined;
    while (session.last !== NOWHERE) this.#drop(session, session.last);
    this.#forgetUnused(session);
  }

  /** Drops everything. */
  close(): void {
    this.#sweeper?.close();
    this.#sweeper = undefined;
    this.#sessions.clear();
    this.#numbered.clear();
    this.#ring.clear();
  }

  #write(name: StreamName, stream: OpenedStream, { after, events, isLast }: StreamWrite): void {
    const session = this.#sessionOf(name.session);
    stream.last = Math.max(stream.last, after);
    stream.isOver = isLast;
    stream.until = this.#later();
    const texts = events.length === 0 ? [''] : events;
    for (const [index, data] of texts.entries()) {
      const last = events.length === 0 ? KINDS.end : KINDS.last;
      const kind = isLast && index === texts.length - 1 ? last : KINDS.event;
      this.#add(session, { stream: name.stream, place: ++stream.last, data, kind });
    }
    if (this.#followers.size === 0) return;
    for (const wake of [...(this.#followers.get(`${name.session} ${name.stream}`) ?? [])]) wake();
  }

  #add(session: SessionEvents, event: { stream: string; place: number; data: string; kind: number }): void {
    const ring = this.#ring;
    const { number, last } = session;
    const { stream, place, data, kind } = event;
    const added = ring.add({ session: number, previous: last, stream, place, data, kind, time: this.clock.elapsed() });
    session.last = added;
    if (session.first === NOWHERE) session.first = added;
    session.bytes += ring.sizeOf(added);
    const { sessionEvents, events } = this.#limits;
    while (session.bytes > sessionEvents && session.first !== added) this.#drop(session, session.first);
    while ((ring.live > events || ring.allocated > events + UNUSED) && ring.events > 1) this.#dropOldest();
  }

  #dropOldest(): void {
    const oldest = this.#ring.oldest();
    const session = this.#numbered.get(this.#ring.sessionOf(oldest));
    if (!session) return this.#ring.drop(oldest);
    this.#drop(session, oldest);
    this.#forgetUnused(session);
  }

  /** With its last event, an opened stream is forgotten. */
  #drop(session: SessionEvents, at: number): void {
    const ring = this.#ring;
    if (session.opened && ring.kindOf(at) !== KINDS.event) {
      const stream = ring.streamOf(at);
      if (at >= (session.opened.get(stream)?.begin ?? 0)) session.opened.delete(stream);
    }
    session.bytes -= ring.sizeOf(at);
    if (session.first === at) session.first = ring.next(at);
    if (session.last === at) session.last = ring.previous(at);
    ring.drop(at);
  }

  /** The newest event of a stream, from an address on. */
  #newest({ last }: SessionEvents, stream: string, begin: number): number {
    let at = last;
    while (at >= begin && !this.#ring.isOf(at, stream)) at = this.#ring.previous(at);
    return at >= begin ? at : NOWHERE;
  }

  /** The events of a stream after a place, from its newest one backwards to an address. */
  #following(newest: number, stream: string, { begin, after }: { begin: number; after: number }): number[] {
    const found: number[] = [];
    for (let at = newest; at >= begin; at = this.#ring.previous(at)) {
      if (!this.#ring.isOf(at, stream)) continue;
      if (this.#ring.placeOf(at) <= after) break;
      found.push(at);
    }
    return found.reverse();
  }

  #event(at: number): StreamEvent {
    return { place: this.#ring.placeOf(at), data: this.#ring.dataOf(at) };
  }

  #find({ session, stream }: StreamName): OpenedStream | undefined {
    const found = this.#sessions.get(session)?.opened?.get(stream);
    return found && found.until > this.clock.elapsed() ? found : undefined;
  }

  #later(): number {
    return this.clock.elapsed() + this.limits.keepFor;
  }

  #sessionOf(id: string): SessionEvents {
    const known = this.#sessions.get(id);
    if (known) return known;
    const number = ++this.#lastNumber;
    const session = { id, number, first: NOWHERE, last: NOWHERE, bytes: 0, opened: undefined };
    this.#sessions.set(id, session);
    this.#numbered.set(number, session);
    this.#sweeper ??= this.#outside(() => this.clock.every(this.limits.keepFor / SWEEPS, () => this.#sweep()).unref());
    return session;
  }

  #forgetUnused(session: SessionEvents): void {
    if (session.opened?.size === 0) session.opened = undefined;
    if (session.first !== NOWHERE || session.opened) return;
    this.#sessions.delete(session.id);
    this.#numbered.delete(session.number);
  }

  /** Drops what has expired. Events behind one that is still kept wait for it. */
  #sweep(): void {
    const now = this.clock.elapsed();
    for (const session of this.#sessions.values()) {
      for (const [name, { until }] of session.opened ?? []) if (until <= now) session.opened?.delete(name);
      this.#forgetUnused(session);
    }
    for (let at = this.#ring.oldest(); at !== NOWHERE && !this.#isKept(at, now); at = this.#ring.oldest())
      this.#dropOldest();
    if (this.#sessions.size > 0) return;
    this.#sweeper?.close();
    this.#sweeper = undefined;
  }

  #isKept(at: number, now: number): boolean {
    if (this.#ring.timeOf(at) + this.limits.keepFor > now) return true;
    const session = this.#numbered.get(this.#ring.sessionOf(at));
    return session?.opened?.has(this.#ring.streamOf(at)) ?? false;
  }
}
