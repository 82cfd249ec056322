/** Follows a log: each reader continues at its own position. */
import { unawaited } from '@sigil-mcp/core/adapter';
import type { StreamEntry } from './commands';
import { beforeOf, numberOf, type Log } from './log';

/** Callbacks for the entries. */
export interface TailEvents {
  /** An entry, and how it follows the previous one that was read. */
  read(entry: StreamEntry, how: Following): void;
  /** The log has started again, and some entries may not have been read. */
  lost?(): void;
  /** All entries up to this one were read. */
  caughtUp?(id: string): void;
}

/** How an entry follows the previous one that was read. */
export interface Following {
  /** Whether its predecessor, which each entry names, was the last entry that was read. */
  readonly isNext: boolean;
  /** How many entries in between were dropped; undefined if unknown. */
  readonly missing: number | undefined;
}

/** Entries that are read in one step. */
const BATCH = 500;

/** Reads one log, each entry once. A failed read is retried at the next `wake`. */
export class LogTail {
  #isOver = false;
  #isReading = false;
  #isWanted = false;
  /** The number of the last entry that was read. */
  #number: number | undefined;

  /** @param position the id of the last entry that is known */
  constructor(
    private readonly log: Log,
    private position: string,
    private readonly events: TailEvents,
  ) {}

  /** Reads the new entries, now or after the current read. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isReading) return;
    unawaited(this.#read());
  }

  /** Calls no callback any more. */
  close(): void {
    this.#isOver = true;
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#isWanted && !this.#isOver) {
        this.#isWanted = false;
        await this.#readBatch();
      }
    } finally {
      this.#isReading = false;
    }
  }

  async #readBatch(): Promise<void> {
    const entries = await this.log.behind(this.position, BATCH);
    this.#isWanted ||= entries.length === BATCH;
    for (const entry of entries) this.#tell(entry);
    if (this.#isOver) return;
    if (entries.length > 0) this.events.caughtUp?.(this.position);
    else await this.#checkPosition();
  }

  /** A log that was emptied, or restored to an older state, may end before the position: new entries would not be seen. */
  async #checkPosition(): Promise<void> {
    const newest = await this.log.newest();
    if (newest === undefined || this.#isOver || !isBefore(newest, this.position)) return;
    this.position = newest;
    this.events.lost?.();
  }

  #tell(entry: StreamEntry): void {
    if (this.#isOver) return;
    const isNext = beforeOf(entry) === this.position;
    const number = numberOf(entry);
    const missing = number === undefined || this.#number === undefined ? undefined : number - this.#number - 1;
    this.position = entry.id;
    this.#number = number;
    this.events.read(entry, { isNext, missing: isNext ? 0 : missing });
  }
}

/** Ids are milliseconds and a number, both of variable length. */
function isBefore(id: string, other: string): boolean {
  const [time, index] = partsOf(id);
  const [otherTime, otherIndex] = partsOf(other);
  return time < otherTime || (time === otherTime && index < otherIndex);
}

function partsOf(id: string): readonly [number, number] {
  const [time = '', index = ''] = id.split('-');
  return [Number(time), Number(index)];
}
