/**
 * What Redis does in one step. A rest is a string that expires, named after its owner and its id. A sorted set has the names of all rests by
 * the time of their expiry, another one those of each caller; two hashes have the length and the caller of each rest, and the characters of
 * each caller and of all (`*`). All keys of a server have one slot, so that the sum is exact in a cluster, too.
 */
import { Script } from '@sigil-mcp/redis/adapter';

/**
 * Keeps a rest, and removes those that have expired; then the oldest ones of its caller, and of all, to make room. Keys: the rest, the times,
 * the times of the caller, the rests, the sums. Arguments: name, text, characters, caller, milliseconds, the limit of a caller, the limit of
 * all, the beginning of the keys of rests, the beginning of the keys of times.
 */
export const KEEP = new Script(`#!lua
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local name, caller, length, ttl = ARGV[1], ARGV[4], tonumber(ARGV[3]), tonumber(ARGV[5])
local own, all = tonumber(ARGV[6]), tonumber(ARGV[7])
if length > own or length > all then return 'large' end
local function sum(of) return tonumber(redis.call('HGET', KEYS[5], of) or '0') end
local function add(of, characters)
  if redis.call('HINCRBY', KEYS[5], of, string.format('%d', characters)) <= 0 then redis.call('HDEL', KEYS[5], of) end
end
local function remove(oldest)
  local characters, of = string.match(redis.call('HGET', KEYS[4], oldest) or '', '^(%d+):(.+)$')
  if of then
    add('*', -characters)
    add(of, -characters)
    redis.call('HDEL', KEYS[4], oldest)
    redis.call('ZREM', ARGV[9] .. of, oldest)
  end
  redis.call('ZREM', KEYS[2], oldest)
  redis.call('DEL', ARGV[8] .. oldest)
end
for _, expired in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do remove(expired) end
local function makeRoom(key, of, most)
  while sum(of) + length > most do
    local oldest = redis.call('ZRANGE', key, 0, 0)[1]
    if not oldest then return end
    remove(oldest)
  end
end
makeRoom(KEYS[3], caller, own)
makeRoom(KEYS[2], '*', all)
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[5])
local score = string.format('%.0f', now + ttl)
redis.call('ZADD', KEYS[2], score, name)
redis.call('ZADD', KEYS[3], score, name)
redis.call('HSET', KEYS[4], name, ARGV[3] .. ':' .. caller)
add('*', length)
add(caller, length)
for index = 2, 5 do
  if redis.call('PTTL', KEYS[index]) < ttl then redis.call('PEXPIRE', KEYS[index], ARGV[5]) end
end
return 'kept'`);

/** Key: the rest. A script, so that a client of a cluster does not send it to a replica, which may not have it yet. */
export const FIND = new Script(`#!lua flags=allow-oom
return redis.call('GET', KEYS[1])`);
