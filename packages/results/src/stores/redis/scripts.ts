/**
 * What Redis does in one step. A rest is a string that expires; the ids of an owner are in a sorted set by the time of their expiry, with
 * their lengths in a hash. All keys have one slot.
 */
import { Script } from '@sigil-mcp/redis/adapter';

/**
 * Keeps a rest, and removes the oldest ones of its owner to make room. Keys: the rest, the times, the lengths. Arguments: id, text,
 * characters, milliseconds, the limit of characters, the beginning of the keys of rests.
 */
export const KEEP = new Script(`#!lua
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local length, ttl, limit = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if length > limit then return 'large' end
local total = 0
for _, each in ipairs(redis.call('HVALS', KEYS[3])) do total = total + tonumber(each) end
local function remove(id)
  total = total - tonumber(redis.call('HGET', KEYS[3], id) or '0')
  redis.call('HDEL', KEYS[3], id)
  redis.call('ZREM', KEYS[2], id)
  redis.call('DEL', ARGV[6] .. id)
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do remove(id) end
while total + length > limit do
  local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
  if not oldest then return 'large' end
  remove(oldest)
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[4])
redis.call('ZADD', KEYS[2], string.format('%.0f', now + ttl), ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
for index = 2, 3 do
  if redis.call('PTTL', KEYS[index]) < ttl then redis.call('PEXPIRE', KEYS[index], ARGV[4]) end
end
return 'kept'`);

/** Key: the rest. A script, so that a client of a cluster does not send it to a replica, which may not have it yet. */
export const FIND = new Script(`#!lua flags=allow-oom
return redis.call('GET', KEYS[1])`);
