/**
 * What Redis does in one step. A task is a hash; its id is in a sorted set by the time at which it is due; one hash has the counts of
 * all (`unended *` and `text *`, in bytes) and of each holder. All keys have one slot, and each change is published.
 */
import { Script } from '@sigil-mcp/redis/adapter';

/** A server that is no longer the master refuses scripts with a first line, unless they are marked as reading: it has old versions. */
const WRITES = '#!lua\n';
/** As above, also while the memory of Redis is full. */
const ALWAYS = '#!lua flags=allow-oom\n';

/** Keys: the task, the times, the counts. A count that is zero has no field. */
const COUNT = `
local function count(field) return tonumber(redis.call('HGET', KEYS[3], field) or '0') end
local function add(holder, unended, bytes)
  for field, change in pairs({ ['unended *'] = unended, ['unended ' .. holder] = unended, ['text *'] = bytes, ['text ' .. holder] = bytes }) do
    if change ~= 0 and redis.call('HINCRBY', KEYS[3], field, string.format('%d', change)) == 0 then redis.call('HDEL', KEYS[3], field) end
  end
end
local function unended(flag) return flag == '1' and 0 or 1 end
local function exceeded(holder, bytes, perHolder, all)
  if count('text ' .. holder) + bytes > tonumber(perHolder) then return 'bytesPerHolder' end
  if count('text *') + bytes > tonumber(all) then return 'bytes' end
end`;

/** Arguments: id, channel, message, version, holder, due time, `1` if it has ended, text, bytes of the text; then the limits, and the command that publishes. */
export const CREATE = new Script(`${WRITES}${COUNT}
if redis.call('EXISTS', KEYS[1]) == 1 then return 'exists' end
local holder, own, bytes = ARGV[5], unended(ARGV[7]), tonumber(ARGV[9])
if count('unended *') + own > tonumber(ARGV[10]) then return 'tasks' end
if count('unended ' .. holder) + own > tonumber(ARGV[11]) then return 'tasksPerHolder' end
local limit = exceeded(holder, bytes, ARGV[12], ARGV[13])
if limit then return limit end
redis.call('HSET', KEYS[1], 'version', ARGV[4], 'holder', holder, 'due', ARGV[6], 'ended', ARGV[7], 'text', ARGV[8], 'length', ARGV[9])
redis.call('ZADD', KEYS[2], ARGV[6], ARGV[1])
add(holder, own, bytes)
redis.call(ARGV[#ARGV], ARGV[2], ARGV[3])
return 'done'`);

/** Arguments: as above, with the limits of texts alone, for a text that grows. The version in Redis must be the one before. */
export const REPLACE = new Script(`${WRITES}${COUNT}
local before = redis.call('HMGET', KEYS[1], 'version', 'holder', 'ended', 'length')
if not before[1] or tonumber(before[1]) + 1 ~= tonumber(ARGV[4]) then return 'changed' end
local more = tonumber(ARGV[9]) - tonumber(before[4])
local limit = more > 0 and exceeded(before[2], more, ARGV[10], ARGV[11])
if limit then return limit end
redis.call('HSET', KEYS[1], 'version', ARGV[4], 'due', ARGV[6], 'ended', ARGV[7], 'text', ARGV[8], 'length', ARGV[9])
redis.call('ZADD', KEYS[2], ARGV[6], ARGV[1])
add(before[2], unended(ARGV[7]) - unended(before[3]), more)
redis.call(ARGV[#ARGV], ARGV[2], ARGV[3])
return 'done'`);

/** Arguments: id, channel, message, version, the command that publishes. */
export const REMOVE = new Script(`${ALWAYS}${COUNT}
local before = redis.call('HMGET', KEYS[1], 'version', 'holder', 'ended', 'length')
if before[1] ~= ARGV[4] then return 'changed' end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
add(before[2], -unended(before[3]), -tonumber(before[4]))
redis.call(ARGV[#ARGV], ARGV[2], ARGV[3])
return 'done'`);

// These only read. They are scripts, so that a client of a cluster does not send them to a replica, which may have old versions.

/** Key: the task. */
export const READ = new Script(
  `${ALWAYS}return redis.call('HMGET', KEYS[1], 'version', 'holder', 'due', 'ended', 'text')`,
);

/** Key: the times. Arguments: the latest time, and the number of ids. */
export const DUE = new Script(
  `${ALWAYS}return redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])`,
);

/** Key: the counts. Argument: the holder, or `*` for all. */
export const COUNTS = new Script(
  `${ALWAYS}return redis.call('HMGET', KEYS[1], 'unended ' .. ARGV[1], 'text ' .. ARGV[1])`,
);
