/**
 * A store of streams that counts what this instance writes to it, as a store in memory does by itself: if the ended streams take too much
 * room, the oldest are forgotten, but never the newest one of a session.
 */
import type { Clock, MaybePromise } from '@sigil-mcp/core/adapter';
import { andThen, unawaited } from '@sigil-mcp/core/internal';
import {
  STREAM_LIMITS,
  type EventLimits,
  type StreamName,
  type StreamPart,
  type StreamStore,
} from '@sigil-mcp/core/stores';

/** The fixed cost of a stream in characters, because a store needs room for each. */
const OVERHEAD = 1000;

/** A store that keeps no more than the limits: by itself if it can. */
export function boundedStreams(store: StreamStore, limits: EventLimits, clock: Clock): StreamStore {
  if (!store.limit) return new BoundedStreams(store, limits, clock);
  store.limit(limits);
  return store;
}

/** A stream that has ended. */
interface EndedStream {
  readonly name: StreamName;
  readonly characters: number;
  /** When the store deletes it. */
  readonly until: number;
}

/** Streams, the oldest first, and their characters in total. */
interface StreamGroup {
  readonly streams: Set<EndedStream>;
  characters: number;
}

class BoundedStreams implements StreamStore {
  /** The lengths of the events of open streams, by the names of the streams, which no two sessions share. */
  readonly #lengths = new Map<string, number[]>();
  readonly #all: StreamGroup = { streams: new Set(), characters: 0 };
  readonly #ofSessions = new Map<string, StreamGroup>();

  constructor(
    private readonly store: StreamStore,
    private readonly limits: EventLimits,
    private readonly clock: Clock,
  ) {}

  open(name: StreamName, owner: string): MaybePromise<boolean> {
    return this.store.open(name, owner);
  }

  append(name: StreamName, after: number, events: readonly string[], isLast = false): MaybePromise<boolean> {
    return andThen(this.store.append(name, after, events, isLast), (isStored) => {
      this.#count(name, isStored ? events : []);
      if (isLast || !isStored) this.#ended(name);
      return isStored;
    });
  }

  end(name: StreamName, data?: string): MaybePromise<boolean> {
    this.#ended(name);
    return this.store.end(name, data);
  }

  read(name: StreamName, after: number, most: number): MaybePromise<StreamPart | undefined> {
    return this.store.read(name, after, most);
  }

  follow(name: StreamName, wake: () => void): MaybePromise<() => void> {
    return this.store.follow(name, wake);
  }

  forget(name: StreamName): MaybePromise<void> {
    return this.store.forget(name);
  }

  #count({ stream }: StreamName, events: readonly string[]): void {
    const lengths = [...(this.#lengths.get(stream) ?? []), ...events.map(({ length }) => length)];
    this.#lengths.set(stream, lengths.slice(-STREAM_LIMITS.events));
  }

  #ended(name: StreamName): void {
    const lengths = this.#lengths.get(name.stream) ?? [];
    this.#lengths.delete(name.stream);
    const characters = lengths.reduce((sum, length) => sum + length, 0);
    if (characters > 0) this.#add(name, characters);
  }

  #add(name: StreamName, characters: number): void {
    const now = this.clock.elapsed();
    for (const old of this.#all.streams) {
      if (old.until > now) break;
      this.#remove(old);
    }
    const ended = { name, characters: characters + OVERHEAD, until: now + STREAM_LIMITS.keepFor };
    const ofSession = this.#ofSessions.get(name.session) ?? { streams: new Set(), characters: 0 };
    this.#ofSessions.set(name.session, ofSession);
    for (const counted of [this.#all, ofSession]) {
      counted.streams.add(ended);
      counted.characters += ended.characters;
    }
    this.#forgetOldest(ofSession, this.limits.sessionEvents);
    this.#forgetOldest(this.#all, this.limits.events);
  }

  #forgetOldest(counted: StreamGroup, most: number): void {
    for (const old of counted.streams) {
      if (counted.characters <= most || counted.streams.size === 1) return;
      this.#remove(old);
      unawaited(this.store.forget(old.name));
    }
  }

  #remove(old: EndedStream): void {
    const ofSession = this.#ofSessions.get(old.name.session);
    for (const counted of ofSession ? [this.#all, ofSession] : [this.#all])
      if (counted.streams.delete(old)) counted.characters -= old.characters;
    if (ofSession?.streams.size === 0) this.#ofSessions.delete(old.name.session);
  }
}
