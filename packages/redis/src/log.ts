/** A log: a Redis stream with many writers, whose readers keep their own positions. */
import { unawaited } from '@sigil-mcp/core/internal';
import { hasSlot } from './clients/redis-connection';
import { readStreamEntries, readText, Script, type Commands, type StreamEntry } from './commands';
import type { LogKeys } from './keys';

/** How much a log keeps. */
interface LogLimits {
  /** Entries, approximately: the oldest are dropped first. */
  readonly entries: number;
  /** Bytes of all entries but the oldest, which are dropped first; up to a sixteenth more at times. */
  readonly bytes: number;
  /** Milliseconds that the log is kept after its last entry. */
  readonly keepFor: number;
}

/** How often the oldest entries are examined while a log is full: that reads whole entries, and they may be long. */
const STEPS = 16;

/**
 * The first field of an entry is the id of its predecessor, so that a reader detects lost entries. The second is the number of bytes of
 * all entries ever written, this one included. The third is the number of those entries, so that a reader knows how many were lost.
 */
const WRITE = `
local newest = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
local function sum(entry) return entry and tonumber(entry[2][4]) or 0 end
local all = sum(newest) + #ARGV[1]
local before = newest and newest[1] or 'none'
local number = newest and tonumber(newest[2][6]) or 0
redis.call('XADD', log, 'MAXLEN', '~', ARGV[2], '*', before, ARGV[1], 'sum', string.format('%d', all), 'number', string.format('%d', number + 1))
local bytes = tonumber(ARGV[5])
local step = bytes / ${STEPS}
if math.floor(all / step) > math.floor((all - #ARGV[1]) / step) then
  local oldest = redis.call('XRANGE', log, '-', '+', 'COUNT', 2)
  while oldest[2] and all - sum(oldest[1]) > bytes do
    redis.call('XTRIM', log, 'MINID', oldest[2][1])
    oldest = redis.call('XRANGE', log, '-', '+', 'COUNT', 2)
  end
end
redis.call('PEXPIRE', log, ARGV[3])
redis.call(publish, ARGV[4], '')
return 1`;
const ADD = new Script(`local log, publish = KEYS[1], ARGV[6]${WRITE}`);
/** The key names the command by which its instance is reached. An instance of another library may need another one than this. */
const ADD_WHILE = new Script(`
local publish = redis.call('GET', KEYS[1])
if not publish then return 0 end
if publish ~= 'SPUBLISH' then publish = 'PUBLISH' end
local log = KEYS[2]${WRITE}`);

/** The field of an empty entry. */
const ORIGIN = 'origin';

/**
 * An empty log starts with an empty entry. Without it, its end could not be distinguished from the end of a log that was emptied since,
 * and a reader that continues from there would not detect lost entries.
 */
const END = new Script(`
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local id = newest and newest[1] or redis.call('XADD', KEYS[1], '*', '${ORIGIN}', '')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return id`);

/** Entries that are read in one step: Redis is blocked meanwhile. */
const PAGE = 250;

/** Redis keeps a log for the time in the limits after the last write or the last question for its end. */
export class Log {
  constructor(
    private readonly commands: Commands,
    readonly keys: LogKeys,
    private readonly limits: LogLimits,
  ) {}

  /** Writes an entry, and wakes the readers. */
  async add(data: string): Promise<void> {
    await this.commands.evaluateInOrder(ADD, [this.keys.log], ...this.#words(data));
  }

  /** Writes an entry if a key of the same slot exists. */
  async addWhile(key: string, data: string): Promise<boolean> {
    const keys = [key, this.keys.log] as const;
    return Number(await this.commands.evaluateInOrder(ADD_WHILE, keys, ...this.#words(data))) === 1;
  }

  /** The id of the last entry, to continue from. */
  async end(): Promise<string> {
    return readText(await this.commands.evaluate(END, [this.keys.log], `${this.limits.keepFor}`)) ?? '';
  }

  /** The id of the last entry; undefined if there are no entries. */
  async newest(): Promise<string | undefined> {
    const { log } = this.keys;
    return readStreamEntries(await this.commands.run(log, 'XREVRANGE', log, '+', '-', 'COUNT', '1'))[0]?.id;
  }

  /** Reads the first entries after an id. */
  behind(id: string, most: number): Promise<readonly StreamEntry[]> {
    return this.#read(`(${id}`, most);
  }

  /**
   * Reads all entries after an id, page by page, so that Redis serves others in between.
   * @param most entries: there may be far more if another version, or an operator, has written to the log
   * @returns undefined if there are more, or if some of them were dropped
   */
  async allBehind(id: string, most: number): Promise<readonly StreamEntry[] | undefined> {
    const found: StreamEntry[] = [];
    for (;;) {
      const last = found.at(-1)?.id ?? id;
      const page = following(last, await this.#read(last, PAGE + 1));
      if (!page || found.length + page.length > most) return undefined;
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  }

  async #read(from: string, most: number): Promise<readonly StreamEntry[]> {
    const { log } = this.keys;
    return readStreamEntries(await this.commands.run(log, 'XRANGE', log, from, '+', 'COUNT', `${most}`));
  }

  #words(data: string): string[] {
    const { entries, keepFor, bytes } = this.limits;
    const { channel } = this.keys;
    const publish = hasSlot(channel) ? this.commands.publishing : 'PUBLISH';
    return [data, `${entries}`, `${keepFor}`, channel, `${bytes}`, publish];
  }
}

/**
 * The entries after one. Entries were read from its id on, so nothing is missing if that entry is still there, or if the first entry names
 * it as its predecessor; otherwise undefined.
 */
function following(id: string, read: readonly StreamEntry[]): readonly StreamEntry[] | undefined {
  const [first] = read;
  if (first?.id === id) return read.slice(1);
  return first && beforeOf(first) === id ? read : undefined;
}

/** The id of the entry before this one; undefined if this is the first. */
function beforeOf({ words: [before] }: StreamEntry): string | undefined {
  return before;
}

/** The number of an entry in its log, the first being 1; undefined for an entry that another version has written. */
function numberOf({ words }: StreamEntry): number | undefined {
  const number = Number(words[5]);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Whether an entry is the first of its log: it has no predecessor, or the log expired because no entry was written for long. */
export function beginsLog(entry: StreamEntry): boolean {
  return beforeOf(entry) === 'none' || dataOf(entry) === undefined;
}

/** The data of an entry; undefined if it is empty. */
export function dataOf({ words: [before, data] }: StreamEntry): string | undefined {
  return before === ORIGIN ? undefined : data;
}

// Follows a log: each reader continues at its own position.

/** Callbacks for the entries. */
interface TailEvents {
  /** An entry, and how it follows the previous one that was read. */
  read(entry: StreamEntry, how: Following): void;
  /** The log has started again, and some entries may not have been read. */
  lost?(): void;
  /** All entries up to this one were read. */
  caughtUp?(id: string): void;
}

/** How an entry follows the previous one that was read. */
interface Following {
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
