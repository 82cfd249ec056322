/** Sessions in Redis: each is one text, and using it is one command. */
import type { Replacement, SessionStore } from '@sigil-mcp/core/stores';
import type { Commands } from './commands';
import { readText } from './entries';
import type { RedisKeys } from './keys';
import { RedisWorkers } from './redis-workers';
import { Script } from './script';

const REPLACE = new Script(`
local record = redis.call('GET', KEYS[1])
if not record then return 'over' end
if record ~= ARGV[1] then return 'changed' end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 'replaced'`);

/** A session's streams end with it. All names are in its slot. */
const END = new Script(`
local ended = redis.call('DEL', KEYS[1])
for _, stream in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  redis.call('DEL', ARGV[1] .. stream, ARGV[2] .. stream, ARGV[3] .. stream)
end
redis.call('DEL', KEYS[2])
return ended`);

/** Redis keeps sessions for their idle time. */
export class RedisSessions implements SessionStore {
  readonly workers: RedisWorkers;

  constructor(
    private readonly commands: Commands,
    private readonly keys: RedisKeys,
  ) {
    this.workers = new RedisWorkers(commands, keys);
  }

  async open(id: string, record: string, idleTime: number): Promise<void> {
    const key = this.keys.session(id);
    await this.commands.run(key, 'SET', key, record, 'PX', `${idleTime}`);
  }

  async use(id: string, idleTime: number): Promise<string | undefined> {
    const key = this.keys.session(id);
    return readText(await this.commands.run(key, 'GETEX', key, 'PX', `${idleTime}`));
  }

  async replace(id: string, read: string, record: string): Promise<Replacement> {
    const outcome = readText(await this.commands.evaluate(REPLACE, [this.keys.session(id)], read, record));
    return outcome === 'replaced' || outcome === 'changed' ? outcome : 'over';
  }

  async end(id: string): Promise<boolean> {
    const keys = [this.keys.session(id), this.keys.streams(id)] as const;
    const { owner, events, follower } = this.keys.stream({ session: id, stream: '' });
    return Number(await this.commands.evaluate(END, [...keys], owner, events, follower)) === 1;
  }
}
