/** A log: a Redis stream with many writers, whose readers keep their own positions. */
import { hasSlot } from './clients/redis-connection';
import { readStreamEntries, readText, Script, type Commands, type StreamEntry } from './commands';
import type { LogKeys } from './keys';

/** How much a log keeps. */
export interface LogLimits {
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
export function beforeOf({ words: [before] }: StreamEntry): string | undefined {
  return before;
}

/** The number of an entry in its log, the first being 1; undefined for an entry that another version has written. */
export function numberOf({ words }: StreamEntry): number | undefined {
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
