/**
 * What the store keeps of streams that this instance has written to their ends, counted as for a server that is alone: the oldest go where
 * it becomes too much.
 */
import { unawaited, type Clock } from '@sigil-mcp/core/adapter';
import { STREAM_LIMITS, type StreamName, type StreamStore } from '@sigil-mcp/core/stores';
import type { KnownEndpointLimits } from '../options/endpoint-limits';

/** Characters that a stream counts for beside its events: a store needs room for each. */
const OVERHEAD = 1000;

/** A stream that is over. */
interface KeptStream {
  readonly name: StreamName;
  readonly characters: number;
  /** When the store has forgotten it by itself. */
  readonly until: number;
}

/** Streams, the oldest first, and the characters of all of them. */
interface Counted {
  readonly streams: Set<KeptStream>;
  characters: number;
}

/** Forgets streams in the store, and never the newest of a session. */
export class KeptStreams {
  readonly #all: Counted = { streams: new Set(), characters: 0 };
  readonly #ofSessions = new Map<string, Counted>();

  constructor(
    private readonly store: StreamStore,
    private readonly limits: Pick<KnownEndpointLimits, 'sessionEvents' | 'events'>,
    private readonly clock: Clock,
  ) {}

  /** Counts a stream that is over. */
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
