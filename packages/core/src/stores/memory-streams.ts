/** Streams of events in memory. */
import { systemClock, type Clock } from '@sigil-mcp/base';
import type { StreamEvent, StreamLimits, StreamName, StreamPart, StreamStore } from './stream-store';

/** A place of a stream: an event, the end, or the end with an event. */
interface Written {
  readonly place: number;
  readonly data: string | undefined;
}

/** What is written at once: events, the end, or both. */
interface Addition {
  readonly after: number;
  readonly events: readonly string[];
  readonly isLast: boolean;
}

interface KeptStream {
  readonly owner: string;
  readonly written: Written[];
  last: number;
  isOver: boolean;
  until: number;
}

/** Keeps recently written streams; expired ones are removed when another stream is opened. */
export class MemoryStreams implements StreamStore {
  readonly #streams = new Map<string, KeptStream>();
  readonly #followers = new Map<string, Set<() => void>>();

  constructor(
    private readonly limits: StreamLimits,
    private readonly clock: Clock = systemClock,
  ) {}

  /** How many streams are kept. */
  get size(): number {
    return this.#streams.size;
  }

  open(name: StreamName, owner: string): boolean {
    const known = this.#find(name);
    if (known) {
      const isWanted = known.owner === owner && !known.isOver;
      if (isWanted) this.#keep(name, known);
      return isWanted;
    }
    this.#forgetOld();
    this.#keep(name, { owner, written: [], last: 0, isOver: false, until: 0 });
    return true;
  }

  append(name: StreamName, after: number, events: readonly string[], isLast = false): boolean {
    const stream = this.#find(name);
    if (!stream || stream.isOver) return false;
    const missing = events.slice(Math.max(stream.last - after, 0));
    if (missing.length === 0 && !isLast) this.#keep(name, stream);
    else this.#write(name, stream, { after, events: missing, isLast });
    return true;
  }

  end(name: StreamName, data?: string): boolean {
    const stream = this.#find(name);
    if (!stream || stream.isOver) return false;
    this.#write(name, stream, { after: 0, events: data === undefined ? [] : [data], isLast: true });
    return true;
  }

  read(name: StreamName, after: number, most: number): StreamPart | undefined {
    const stream = this.#find(name);
    if (!stream || after > stream.last) return undefined;
    const { owner, written } = stream;
    const following = written.filter(({ place }) => place > after);
    const part = following.slice(0, most);
    const [first] = following;
    return {
      owner,
      events: part.filter((each): each is StreamEvent => each.data !== undefined),
      last: part.at(-1)?.place ?? after,
      hasGap: first !== undefined && first.place > after + 1,
      isOver: stream.isOver && part.length === following.length,
    };
  }

  follow(name: StreamName, wake: () => void): () => void {
    const key = keyOf(name);
    const followers = this.#followers.get(key) ?? new Set();
    this.#followers.set(key, followers.add(wake));
    return () => {
      followers.delete(wake);
      if (followers.size === 0 && this.#followers.get(key) === followers) this.#followers.delete(key);
    };
  }

  forget(name: StreamName): void {
    this.#streams.delete(keyOf(name));
  }

  #write(name: StreamName, stream: KeptStream, { after, events, isLast }: Addition): void {
    const { written } = stream;
    stream.last = Math.max(stream.last, after);
    for (const data of events) written.push({ place: ++stream.last, data });
    if (events.length === 0) written.push({ place: ++stream.last, data: undefined });
    if (written.length > this.limits.events) written.splice(0, written.length - this.limits.events);
    stream.isOver = isLast;
    this.#keep(name, stream);
    for (const wake of [...(this.#followers.get(keyOf(name)) ?? [])]) wake();
  }

  #find(name: StreamName): KeptStream | undefined {
    const stream = this.#streams.get(keyOf(name));
    return stream && stream.until > this.clock.elapsed() ? stream : undefined;
  }

  /** In the order of their last writing. */
  #keep(name: StreamName, stream: KeptStream): void {
    const key = keyOf(name);
    stream.until = this.clock.elapsed() + this.limits.keepFor;
    this.#streams.delete(key);
    this.#streams.set(key, stream);
  }

  #forgetOld(): void {
    const now = this.clock.elapsed();
    for (const [key, { until }] of this.#streams) {
      if (until > now) return;
      this.#streams.delete(key);
    }
  }
}

function keyOf({ session, stream }: StreamName): string {
  return `${session} ${stream}`;
}
