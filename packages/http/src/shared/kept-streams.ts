/**
 * The completed streams of this instance in the store, limited as for a single instance: if they take too much room, the oldest are
 * dropped.
 */
import { unawaited, type Clock } from '@sigil-mcp/core/adapter';
import { STREAM_LIMITS, type StreamName, type StreamStore } from '@sigil-mcp/core/stores';
import type { KnownEndpointLimits } from '../options/endpoint-limits';

/** The fixed cost of a stream in characters, because a store needs room for each. */
const OVERHEAD = 1000;

/** A stream that has ended. */
interface KeptStream {
  readonly name: StreamName;
  readonly characters: number;
  /** When the store deletes it. */
  readonly until: number;
}

/** Streams, the oldest first, and their characters in total. */
interface Counted {
  readonly streams: Set<KeptStream>;
  characters: number;
}

/** Drops streams in the store, but never the newest one of a session. */
export class KeptStreams {
  readonly #all: Counted = { streams: new Set(), characters: 0 };
  readonly #ofSessions = new Map<string, Counted>();

  constructor(
    private readonly store: StreamStore,
    private readonly limits: Pick<KnownEndpointLimits, 'sessionEvents' | 'events'>,
    private readonly clock: Clock,
  ) {}

  /** Counts a stream that has ended. */
  add(name: StreamName, characters: number): void {
    const now = this.clock.elapsed();
    for (const old of this.#all.streams) {
      if (old.until > now) break;
      this.#remove(old);
    }
    const kept = { name, characters: characters + OVERHEAD, until: now + STREAM_LIMITS.keepFor };
    const ofSession = this.#ofSessions.get(name.session) ?? { streams: new Set(), characters: 0 };
    this.#ofSessions.set(name.session, ofSession);
    for (const counted of [this.#all, ofSession]) {
      counted.streams.add(kept);
      counted.characters += kept.characters;
    }
    this.#forgetOldest(ofSession, this.limits.sessionEvents);
    this.#forgetOldest(this.#all, this.limits.events);
  }

  #forgetOldest(counted: Counted, most: number): void {
    for (const old of counted.streams) {
      if (counted.characters <= most || counted.streams.size === 1) return;
      this.#remove(old);
      unawaited(this.store.forget(old.name));
    }
  }

  #remove(old: KeptStream): void {
    const ofSession = this.#ofSessions.get(old.name.session);
    for (const counted of ofSession ? [this.#all, ofSession] : [this.#all])
      if (counted.streams.delete(old)) counted.characters -= old.characters;
    if (ofSession?.streams.size === 0) this.#ofSessions.delete(old.name.session);
  }
}
