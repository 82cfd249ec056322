/**
 * The last messages, until there are too many bytes of them. A message is kept as it passed: it is read only when a page asks for it, so
 * that a closed page costs nothing but the place of what it would show first. Then its sensitive values are hidden, before anything else.
 */
import type { Clock } from '@sigil-mcp/base';
import type { RecordedSession, Tap, TappedHead, TappedText } from '@sigil-mcp/cli/kit/dev';
import { ServedVersions, type ServedVersion } from './served-versions';
import { TrafficMask } from './traffic-mask';

/** Bytes of the texts that are kept. */
const MOST_BYTES = 16 * 1024 * 1024;
/** What a short message takes besides its text. */
const OVERHEAD = 200;

/** Headers whose values are never shown. */
const SECRET =
  /^(?!www-authenticate$).*(?:auth|cookie|session|token|secret|password|credential|api-?key|sigil-key|jwt|assertion|oidc-data|cert|signature)/i;

/** One message, as the page receives it. */
export interface TrafficEntry {
  /** Counts the messages, from 1. */
  readonly seq: number;
  /** Milliseconds since 1970, with fractions. */
  readonly at: number;
  readonly from: 'client' | 'server';
  readonly text: string;
  /** A number for the session; undefined without one. */
  readonly session: number | undefined;
  readonly client: string | undefined;
  readonly proposed: string | undefined;
  readonly exchange: number | undefined;
  /** Whether the page has sent or received it instead of a client. */
  readonly isInPlace: boolean | undefined;
  readonly head: TappedHead | undefined;
}

/** What a page has not seen yet. */
export interface TrafficNews {
  readonly entries: readonly TrafficEntry[];
  /** Messages that were dropped before they could be sent. */
  readonly lost: number;
  /** The number of the last message that this is about. */
  readonly last: number;
}

interface TrafficText extends TappedText {
  readonly at: number;
  /** Bytes that are counted for it. */
  readonly size: number;
  /** The version that clients had. */
  readonly version: ServedVersion;
}

/** Hides what is sensitive in the messages of each version. */
export interface Privacy {
  readonly versions: ServedVersions;
  readonly mask: TrafficMask;
}

/** Keeps the messages. */
export class TrafficRecord implements Tap {
  #kept: TrafficText[] = [];
  /** The number of the first message that is kept. */
  #first = 1;
  #bytes = 0;
  /** The number of the last message whose sensitive values are hidden. */
  #shown = 0;
  /** The number of the last message that was cleared on purpose. */
  #cleared = 0;
  readonly #sessions = new WeakMap<RecordedSession, number>();
  #sessionCount = 0;
  readonly #listeners = new Set<() => void>();
  readonly #epoch: number;

  constructor(
    private readonly clock: Clock,
    private readonly mostBytes = MOST_BYTES,
    private readonly privacy: Privacy = { versions: new ServedVersions(), mask: new TrafficMask() },
  ) {
    this.#epoch = clock.now() - clock.elapsed();
  }

  note(tapped: TappedText): void {
    const size = tapped.text.length + OVERHEAD;
    const version = this.privacy.versions.serving;
    this.#kept.push({ ...tapped, at: this.#epoch + this.clock.elapsed(), size, version });
    this.#bytes += size;
    if (this.#bytes > this.mostBytes) this.#shorten();
    this.wake();
  }

  /** The messages after one. @param mostBytes of their texts; there is at least one message, if there is any */
  after(seq: number, mostBytes: number): TrafficNews {
    const begin = Math.max(0, seq + 1 - this.#first);
    const entries: TrafficEntry[] = [];
    let bytes = 0;
    for (let index = begin; index < this.#kept.length; index += 1) {
      const kept = this.#shownAt(index);
      if (!kept || (bytes > 0 && bytes + kept.size > mostBytes)) break;
      bytes += kept.size;
      entries.push(this.#entryOf(kept, this.#first + index));
    }
    const lost = Math.max(0, this.#first - 1 - Math.max(seq, this.#cleared));
    return { entries, lost, last: Math.max(seq, this.#first - 1) + entries.length };
  }

  /** A value that is shown, without what is sensitive in the messages so far. */
  hide<T>(value: T): T {
    this.#showAll();
    return this.privacy.mask.hide(value);
  }

  /** Tells the listeners that there may be something to read. */
  wake(): void {
    for (const wake of this.#listeners) wake();
  }

  /** The number of the last message. */
  get last(): number {
    return this.#first + this.#kept.length - 1;
  }

  /** Forgets all messages. */
  clear(): void {
    // The answers of what runs are still to come.
    this.#showAll();
    this.#cleared = this.last;
    this.#first = this.last + 1;
    this.#kept = [];
    this.#bytes = 0;
  }

  /** Calls back with each message. @returns ends that */
  listen(wake: () => void): () => void {
    this.#listeners.add(wake);
    return () => void this.#listeners.delete(wake);
  }

  /** Drops the oldest messages, a quarter at a time, so that not each message moves all others. */
  #shorten(): void {
    const goal = this.mostBytes * 0.75;
    let dropped = 0;
    while (this.#bytes > goal && dropped < this.#kept.length) {
      this.#bytes -= this.#kept[dropped]?.size ?? 0;
      dropped += 1;
    }
    this.#kept = this.#kept.slice(dropped);
    this.#first += dropped;
  }

  #showAll(): void {
    let index = Math.max(0, this.#shown + 1 - this.#first);
    while (this.#shownAt(index)) index += 1;
  }

  /** A message without its sensitive values; undefined if it does not exist, or if it is not known yet which of them are sensitive. */
  #shownAt(index: number): TrafficText | undefined {
    const kept = this.#kept[index];
    if (!kept || this.#first + index <= this.#shown) return kept;
    if (kept.version.isPending) return undefined;
    this.#shown = this.#first + index;
    const { mask } = this.privacy;
    const text = typeof kept.text === 'string' ? kept.text : kept.text.toString('utf8');
    const shown = mask.text(text, { from: kept.from, scope: this.#scopeOf(kept) }, kept.version);
    const head = kept.head && mask.head(kept.head, kept.version);
    return (this.#kept[index] = { ...kept, text: shown, head });
  }

  /** Where the id of a message is unique: in its session, or in its request of HTTP. */
  #scopeOf({ session, exchange }: TrafficText): string {
    if (session) return `s${this.#numberOf(session)}:`;
    return exchange === undefined ? 'pipe:' : `x${exchange}:`;
  }

  #entryOf({ at, from, text, session, exchange, isInPlace, head }: TrafficText, seq: number): TrafficEntry {
    return {
      seq,
      at,
      from,
      text: typeof text === 'string' ? text : text.toString('utf8'),
      session: session && this.#numberOf(session),
      client: session?.client,
      proposed: session?.proposed,
      exchange,
      isInPlace,
      head: head && { line: head.line.replace(/\?.*/s, '?(hidden)'), headers: masked(head.headers) },
    };
  }

  #numberOf(session: RecordedSession): number {
    const number = this.#sessions.get(session) ?? (this.#sessionCount += 1);
    this.#sessions.set(session, number);
    return number;
  }
}

function masked(headers: TappedHead['headers']): TappedHead['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? '(hidden)' : value]),
  );
}
