/** Follows a log: a stream of Redis that many write and each reader reads from where it has come to. */
import { unawaited } from '@sigil-mcp/core/adapter';
import type { Commands } from './commands';
import { readEntries, type Entry } from './entries';

/** What is done with what was read. */
export interface TailEvents {
  /** An entry; each names the one before it, and `isNext` says whether that was the last that was read. */
  read(data: string, isNext: boolean): void;
  /** Everything up to an entry was read. */
  caughtUp?(id: string): void;
}

/** Entries that are read at once. */
const BATCH = 500;

/** Reads one log, each entry once. What fails is tried again with the next call. */
export class LogTail {
  #isOver = false;
  #isReading = false;
  #isWanted = false;

  /** @param position the id of the last entry that is known */
  constructor(
    private readonly commands: Commands,
    private readonly key: string,
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
    const words = ['XRANGE', this.key, `(${this.position}`, '+', 'COUNT', `${BATCH}`];
    const entries = readEntries(await this.commands.run(this.key, ...words));
    this.#isWanted ||= entries.length === BATCH;
    for (const entry of entries) this.#tell(entry);
    if (entries.length > 0 && !this.#isOver) this.events.caughtUp?.(this.position);
  }

  #tell({ id, words: [before, data = ''] }: Entry): void {
    if (this.#isOver) return;
    const isNext = before === this.position;
    this.position = id;
    this.events.read(data, isNext);
  }
}
