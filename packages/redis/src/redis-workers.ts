/** The instances that work for sessions, in sorted sets in the slot of the session: the score of each member is the time at which it ends. */
import type { SessionState, SessionWorkers } from '@sigil-mcp/core/stores';
import type { Commands } from './commands';
import { readText } from './entries';
import type { RedisKeys } from './keys';
import { Script } from './script';

/** The time of Redis in milliseconds. */
const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)`;

const JOIN = new Script(`${NOW}
local record = redis.call('GET', KEYS[1])
if not record then return {false, {}} end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZADD', KEYS[2], string.format('%d', now + tonumber(ARGV[2])), ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return {record, redis.call('ZRANGE', KEYS[3], string.format('%d', now), '+inf', 'BYSCORE')}`);

/** The score of a member that has left. Deleting it needs another command, which existing users of Redis may not be allowed to send. */
const LEFT = '0';

/** Notes of one session: with more, the oldest are deleted. */
const MOST_NOTES = 16;

const NOTE = new Script(`${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local notes = redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES')
if #notes >= ${MOST_NOTES * 2} then redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', notes[2]) end
redis.call('ZADD', KEYS[2], string.format('%d', now + tonumber(ARGV[2])), ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return redis.call('ZRANGE', KEYS[1], 1, '+inf', 'BYSCORE')`);

/** Knows them for the time that they say. */
export class RedisWorkers implements SessionWorkers {
  constructor(
    private readonly commands: Commands,
    private readonly keys: RedisKeys,
  ) {}

  async join(session: string, instance: string, keepFor: number): Promise<SessionState> {
    const keys = [this.keys.session(session), this.keys.workers(session), this.keys.notes(session)] as const;
    const reply = await this.commands.evaluate(JOIN, [...keys], instance, `${keepFor}`);
    const [record, notes] = reply as readonly [unknown, readonly unknown[]];
    return { record: readText(record), notes: textsOf(notes) };
  }

  async leave(session: string, instance: string): Promise<void> {
    const key = this.keys.workers(session);
    await this.commands.run(key, 'ZADD', key, 'XX', LEFT, instance);
  }

  async of(session: string): Promise<readonly string[]> {
    const key = this.keys.workers(session);
    return textsOf(await this.commands.run(key, 'ZRANGE', key, '1', '+inf', 'BYSCORE'));
  }

  async note(session: string, text: string, keepFor: number): Promise<readonly string[]> {
    const keys = [this.keys.workers(session), this.keys.notes(session)] as const;
    return textsOf(await this.commands.evaluate(NOTE, [...keys], text, `${keepFor}`));
  }
}

/** Reads a list of texts; its format is trusted, because it comes from Redis. */
function textsOf(reply: unknown): readonly string[] {
  return (reply as readonly unknown[]).map((each) => readText(each) ?? '');
}
