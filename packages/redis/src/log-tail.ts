/** Follows a log: each reader reads from where it has come to. */
import { unawaited } from '@sigil-mcp/core/adapter';
import type { Entry } from './entries';
import { beforeOf, numberOf, type Log } from './log';

/** What is done with what was read. */
export interface TailEvents {
  /** An entry, and how it follows the last that was read. */
  read(entry: Entry, how: Following): void;
  /** The log has begun anew, and something of it may not have been read. */
  lost?(): void;
  /** Everything up to an entry was read. */
  caughtUp?(id: string): void;
}

/** How an entry follows the last that was read. */
export interface Following {
  /** Whether the one before it, which each entry names, was the last that was read. */
  readonly isNext: boolean;
  /** How many stood in between and are not kept; undefined where that is not known. */
  readonly missing: number | undefined;
}

/** Entries that are read at once. */
const BATCH = 500;

/** Reads one log, each entry once. What fails is tried again with the next call. */
export class LogTail {
  #isOver = false;
  #isReading = false;
  #isWanted = false;
  /** Of the last entry that was read. */
  #number: number | undefined;

  /** @param position the id of the last entry that is known */
  constructor(
    private readonly log: Log,
    private position: string,
    private readonly events: TailEvents,
  ) {}

  /** Reads what there is, now or after what is being read. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isReading) return;
    unawaited(this.#read());
  }

  /** Tells nothing more. */
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

  /** A log that was emptied, or has come back as it once was, may end before the position: what is written would not be seen. */
  async #checkPosition(): Promise<void> {
    const newest = await this.log.newest();
    if (newest === undefined || this.#isOver || !isBefore(newest, this.position)) return;
    this.position = newest;
    this.events.lost?.();
  }

  #tell(entry: Entry): void {
    if (this.#isOver) return;
    const isNext = beforeOf(entry) === this.position;
    const number = numberOf(entry);
    const missing = number === undefined || this.#number === undefined ? undefined : number - this.#number - 1;
    this.position = entry.id;
    this.#number = number;
    this.events.read(entry, { isNext, missing: isNext ? 0 : missing });
  }
}

/** Ids are milliseconds and a number, of no fixed lengths. */
function isBefore(id: string, other: string): boolean {
  const [time, index] = partsOf(id);
  const [otherTime, otherIndex] = partsOf(other);
  return time < otherTime || (time === otherTime && index < otherIndex);
}

function partsOf(id: string): readonly [number, number] {
  const [time = '', index = ''] = id.split('-');
  return [Number(time), Number(index)];
}
