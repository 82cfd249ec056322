/** What each version of the server offers, as its process reports it: what of its calls must not be shown, and what it has changed. */
import { LIST, readReport, type ReportedEntry, type RequestReport, type WatchedChild } from '@sigil-mcp/cli/kit/dev';

/** An entry that was added, removed or changed. */
export interface ListedChange {
  readonly sign: '+' | '-' | '~';
  readonly name: string;
  /** The members of its definition that have changed. */
  readonly words: string;
}

/** One process of the server. */
export class ServedVersion {
  #entries: readonly ReportedEntry[] | undefined;
  /** Every shape that an entry had while this process ran, by kind and key. */
  readonly #shapes = new Map<string, ReportedEntry[]>();
  #isSensitive = false;
  #isOver = false;

  /** @param tell sends it a line; undefined for what came before the first process */
  constructor(readonly tell: ((line: string) => void) | undefined) {
    this.#isOver = tell === undefined;
  }

  /** What it offers now; undefined if it has not said so. */
  get entries(): readonly ReportedEntry[] | undefined {
    return this.#entries;
  }

  /** Whether it will still say what it offers. */
  get isPending(): boolean {
    return !this.#isOver && this.#entries === undefined;
  }

  /** Whether it offers nothing that is sensitive. */
  get isPlain(): boolean {
    return this.#entries !== undefined && !this.#isSensitive;
  }

  /** The entries with sensitive parts, by kind and key: an entry that was changed counts with each of its forms. */
  get sensitive(): ReadonlyMap<string, readonly ReportedEntry[]> {
    return this.#shapes;
  }

  offers(entries: readonly ReportedEntry[]): void {
    this.#entries = entries;
    for (const entry of entries) {
      if (!entry.input && !entry.output) continue;
      this.#isSensitive = true;
      const key = `${entry.kind} ${entry.key}`;
      this.#shapes.set(key, [...(this.#shapes.get(key) ?? []), entry]);
    }
  }

  end(): void {
    this.#isOver = true;
  }
}

/** What happens to the versions. */
export interface VersionEvents {
  /** The lists of the version that serves differ from those before. @param isNew whether it is another version than before */
  readonly onChanges: (changes: readonly ListedChange[], isNew: boolean) => void;
  /** More is known of a version. */
  readonly onKnown: () => void;
  /** Another report of a version. */
  readonly onReport: (report: RequestReport) => void;
}

/** The versions of one run of `sigil dev`. */
export class ServedVersions {
  #serving = new ServedVersion(undefined);
  #latest = this.#serving;
  /** What clients saw last. */
  #listed: readonly ReportedEntry[] | undefined;
  #isNew = false;
  #events: VersionEvents | undefined;

  /** @param events are called from now on */
  listen(events: VersionEvents): void {
    this.#events = events;
  }

  /** The version that answers clients. */
  get serving(): ServedVersion {
    return this.#serving;
  }

  /** A process has started. @param tell sends it a line */
  attach(tell: (line: string) => void): WatchedChild {
    const version = (this.#latest = new ServedVersion(tell));
    return {
      take: (line) => {
        const report = readReport(line);
        if (report.entries) {
          version.offers(report.entries);
          this.#compare(version);
          this.#events?.onKnown();
        }
        this.#events?.onReport(report);
      },
      end: () => {
        version.end();
        this.#events?.onKnown();
      },
    };
  }

  /** The last process that has started answers clients from now on. */
  serve(): void {
    if (this.#serving === this.#latest) return;
    this.#serving = this.#latest;
    this.#isNew = true;
    // A program without a server says so.
    if (this.#serving.isPending) this.#serving.tell?.(LIST);
    this.#compare(this.#serving);
  }

  #compare(version: ServedVersion): void {
    if (version !== this.#serving || !version.entries) return;
    const changes = this.#listed ? changesBetween(this.#listed, version.entries) : [];
    this.#listed = version.entries;
    if (changes.length > 0) this.#events?.onChanges(changes, this.#isNew);
    this.#isNew = false;
  }
}

/** Compares what is listed. */
function changesBetween(before: readonly ReportedEntry[], after: readonly ReportedEntry[]): ListedChange[] {
  const [old, now] = [byKey(before), byKey(after)];
  const added = after.filter((entry) => !old.has(nameOf(entry))).map(({ key }) => change('+', key));
  const removed = before.filter((entry) => !now.has(nameOf(entry))).map(({ key }) => change('-', key));
  const other = after.flatMap((entry) => {
    const known = old.get(nameOf(entry));
    const words = known ? changedMembers(known, entry) : '';
    return words === '' ? [] : [change('~', entry.key, words)];
  });
  return [...added, ...removed, ...other];
}

function byKey(entries: readonly ReportedEntry[]): ReadonlyMap<string, ReportedEntry> {
  return new Map(entries.map((entry) => [nameOf(entry), entry]));
}

/** A tool and a prompt may have the same name. */
function nameOf({ kind, key }: ReportedEntry): string {
  return `${kind} ${key}`;
}

function change(sign: ListedChange['sign'], name: string, words = ''): ListedChange {
  return { sign, name, words };
}

function changedMembers({ members: old }: ReportedEntry, { members: now }: ReportedEntry): string {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.filter((name) => old[name] !== now[name]).join(', ');
}
