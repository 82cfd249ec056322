/** A log: a stream of Redis that many write, and whose readers know by themselves where they have come to. */
import type { Commands } from './commands';
import { readEntries, readText, type Entry } from './entries';
import type { LogKeys } from './keys';
import { Script } from './script';

/** How much a log keeps. */
export interface LogLimits {
  /** Entries, about: the oldest go first. */
  readonly entries: number;
  /** Bytes of what stands behind the oldest, which goes first here, too; a sixteenth more at times. */
  readonly bytes: number;
  /** Milliseconds after the last of them. */
  readonly keepFor: number;
}

/** How often the oldest entries are looked at while a log takes as much as it may: that reads them whole, and they may be long. */
const STEPS = 16;

/**
 * Each entry has the id of the one before it as its field, so that a reader sees that something was lost, in a second field the bytes of
 * all that were ever written, itself included, and in a third how many those were, so that it is seen how much.
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
redis.call('PUBLISH', ARGV[4], '')
return 1`;
const ADD = new Script(`local log = KEYS[1]${WRITE}`);
const ADD_WHILE = new Script(`if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end\nlocal log = KEYS[2]${WRITE}`);

/** The field of an entry that says nothing. */
const ORIGIN = 'origin';

/**
 * An empty log is begun with an entry that says nothing: without one, its end could not be told from the end of a log that was
 * emptied since, and a reader that goes on from there would not see that something was lost.
 */
const END = new Script(`
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local id = newest and newest[1] or redis.call('XADD', KEYS[1], '*', '${ORIGIN}', '')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return id`);

/** Entries that are read in one step: Redis does nothing else meanwhile. */
const PAGE = 250;

/** Kept by Redis for as long as the limits say after something was last written, or its end was asked for. */
export class Log {
  constructor(
    private readonly commands: Commands,
    readonly keys: LogKeys,
    private readonly limits: LogLimits,
  ) {}

  /** Writes an entry, and wakes who reads. */
  async add(data: string): Promise<void> {
    await this.commands.evaluateInOrder(ADD, [this.keys.log], ...this.#words(data));
  }

  /** Does so if a key is there, of the same slot. */
  async addWhile(key: string, data: string): Promise<boolean> {
    const keys = [key, this.keys.log] as const;
    return Number(await this.commands.evaluateInOrder(ADD_WHILE, keys, ...this.#words(data))) === 1;
  }

  /** The id of the last entry, to go on from. */
  async end(): Promise<string> {
    return readText(await this.commands.evaluate(END, [this.keys.log], `${this.limits.keepFor}`)) ?? '';
  }

  /** The id of the last entry; undefined where there is none. */
  async newest(): Promise<string | undefined> {
    const { log } = this.keys;
    return readEntries(await this.commands.run(log, 'XREVRANGE', log, '+', '-', 'COUNT', '1'))[0]?.id;
  }

  /** Reads the first entries behind an id. */
  behind(id: string, most: number): Promise<readonly Entry[]> {
    return this.#read(`(${id}`, most);
  }

  /**
   * Reads all entries behind an id, page by page, so that Redis serves others in between.
   * @param most entries: there may be far more where another version, or a person, has written the log
   * @returns undefined where there are more, or some of them are not kept any more
   */
  async allBehind(id: string, most: number): Promise<readonly Entry[] | undefined> {
    const found: Entry[] = [];
    for (;;) {
      const last = found.at(-1)?.id ?? id;
      const page = following(last, await this.#read(last, PAGE + 1));
      if (!page || found.length + page.length > most) return undefined;
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  }

  async #read(from: string, most: number): Promise<readonly Entry[]> {
    const { log } = this.keys;
    return readEntries(await this.commands.run(log, 'XRANGE', log, from, '+', 'COUNT', `${most}`));
  }

  #words(data: string): string[] {
    const { entries, keepFor, bytes } = this.limits;
    return [data, `${entries}`, `${keepFor}`, this.keys.channel, `${bytes}`];
  }
}

/**
 * The entries behind one. They were read from its id on, so that nothing is missing where it is still there itself, or else the one
 * right behind it; undefined where that is not sure.
 */
function following(id: string, read: readonly Entry[]): readonly Entry[] | undefined {
  const [first] = read;
  if (first?.id === id) return read.slice(1);
  return first && beforeOf(first) === id ? read : undefined;
}

/** The id of the entry before one; none where it was the first. */
export function beforeOf({ words: [before] }: Entry): string | undefined {
  return before;
}

/** Which entry of its log it is, the first being 1; undefined for one that another version has written. */
export function numberOf({ words }: Entry): number | undefined {
  const number = Number(words[5]);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Whether it is the first of its log: there is none before it, or none is kept any more because nobody wrote for long. */
export function beginsLog(entry: Entry): boolean {
  return beforeOf(entry) === 'none' || dataOf(entry) === undefined;
}

/** What an entry says; undefined where it says nothing. */
export function dataOf({ words: [before, data] }: Entry): string | undefined {
  return before === ORIGIN ? undefined : data;
}
