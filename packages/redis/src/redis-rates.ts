/** Rates in Redis: for each key, the time at which its rate is fully available again (GCRA), by the clock of Redis. */
import { periodOf, type Rate, type RateStore } from '@sigil-mcp/core/stores';
import type { Commands } from './commands';
import type { RedisKeys } from './keys';
import { Script } from './script';

const TAKE = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local period = tonumber(ARGV[2])
local each = period / tonumber(ARGV[1])
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0')) + each
local wait = full - now - period
if wait > 0.01 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil(full - now))
return 0`);

/** Redis keeps a key until its rate is fully available again. */
export class RedisRates implements RateStore {
  constructor(
    private readonly commands: Commands,
    private readonly keys: RedisKeys,
  ) {}

  async take(key: string, rate: Rate): Promise<number> {
    const words = [`${rate.calls}`, `${periodOf(rate)}`];
    return Number(await this.commands.evaluate(TAKE, [this.keys.rate(key)], ...words));
  }
}
