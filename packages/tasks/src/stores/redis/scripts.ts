/**
 * What Redis does in one step. A task is a hash; its id is in a sorted set by the time at which it is due; one hash has the counts of
 * all (`unended *` and `text *`, in bytes) and of each holder. All keys have one slot, and each change is published.
 */
import { Script } from '@sigil-mcp/redis/adapter';

/** Milliseconds that a key stays at least. */
const HOUR = 3_600_000;
/** A server that is no longer the master refuses scripts with a first line, unless they are marked as reading: it has old versions. */
const WRITES = '#!lua\n';
/** As above, also while the memory of Redis is full. */
const ALWAYS = '#!lua flags=allow-oom\n';

/** Keys: the task, the times, the counts. A count that is zero has no field. All expire when the last task is needed no longer. */
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
end
local function now(given)
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000
end
-- The keys of all tasks are kept as long as the task that is kept longest.
local function keep(isNew, keptUntil, given)
  local most = keptUntil ~= '' and math.max(tonumber(keptUntil) - now(given), ${HOUR})
  for index, key in ipairs(KEYS) do
    local before = (index == 1 or isNew[index]) and 0 or redis.call('PTTL', key)
    if not most then redis.call('PERSIST', key)
    elseif before ~= -1 and before < most then redis.call('PEXPIRE', key, string.format('%d', most)) end
  end
end
local function new() return { nil, redis.call('EXISTS', KEYS[2]) == 0, redis.call('EXISTS', KEYS[3]) == 0 } end`;

/**
 * Arguments: id, channel, message, version, holder, due time, `1` if it has ended, text, bytes of the text, until when it is kept (nothing for
 * ever), the time (nothing for that of Redis); then the limits, less what other slots have of the sums, and the command that publishes.
 */
export const CREATE = new Script(`${WRITES}${COUNT}
if redis.call('EXISTS', KEYS[1]) == 1 then return 'exists' end
local holder, own, bytes = ARGV[5], unended(ARGV[7]), tonumber(ARGV[9])
if count('unended *') + own > tonumber(ARGV[12]) then return 'tasks' end
if count('unended ' .. holder) + own > tonumber(ARGV[13]) then return 'tasksPerHolder' end
local limit = exceeded(holder, bytes, ARGV[14], ARGV[15])
if limit then return limit end
local isNew = new()
redis.call('HSET', KEYS[1], 'version', ARGV[4], 'holder', holder, 'due', ARGV[6], 'ended', ARGV[7], 'text', ARGV[8], 'length', ARGV[9])
redis.call('ZADD', KEYS[2], ARGV[6], ARGV[1])
add(holder, own, bytes)
keep(isNew, ARGV[10], ARGV[11])
redis.call(ARGV[#ARGV], ARGV[2], ARGV[3])
return 'done'`);

/** Arguments: as above, with the limits of texts alone, for a text that grows. The version in Redis must be the one before. */
export const REPLACE = new Script(`${WRITES}${COUNT}
local before = redis.call('HMGET', KEYS[1], 'version', 'holder', 'ended', 'length')
if not before[1] or tonumber(before[1]) + 1 ~= tonumber(ARGV[4]) then return 'changed' end
local more = tonumber(ARGV[9]) - tonumber(before[4])
local limit = more > 0 and exceeded(before[2], more, ARGV[12], ARGV[13])
if limit then return limit end
redis.call('HSET', KEYS[1], 'version', ARGV[4], 'due', ARGV[6], 'ended', ARGV[7], 'text', ARGV[8], 'length', ARGV[9])
redis.call('ZADD', KEYS[2], ARGV[6], ARGV[1])
add(before[2], unended(ARGV[7]) - unended(before[3]), more)
keep({}, ARGV[10], ARGV[11])
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

/**
 * Counts again, where tasks have expired because no server has looked for long: their ids and counts are still there. Keys: the times, the
 * counts, then the tasks of all ids; arguments: the ids.
 */
export const RECOUNT = new Script(`${ALWAYS}
if redis.call('ZCARD', KEYS[1]) ~= #ARGV then return 'changed' end
local counts = {}
local function add(field, change) counts[field] = (counts[field] or 0) + change end
for index, id in ipairs(ARGV) do
  local holder, ended, length = unpack(redis.call('HMGET', KEYS[index + 2], 'holder', 'ended', 'length'))
  if not holder then redis.call('ZREM', KEYS[1], id)
  else
    for _, whose in ipairs({ '*', holder }) do
      add('unended ' .. whose, ended == '1' and 0 or 1)
      add('text ' .. whose, tonumber(length))
    end
  end
end
local expires = redis.call('PTTL', KEYS[2])
redis.call('DEL', KEYS[2])
for field, number in pairs(counts) do
  if number ~= 0 then redis.call('HSET', KEYS[2], field, string.format('%d', number)) end
end
if expires > 0 then redis.call('PEXPIRE', KEYS[2], expires) end
return 'done'`);

// These only read. They are scripts, so that a client of a cluster does not send them to a replica, which may have old versions.

/** Keys: the task, the times. A task that has expired is still among the times. */
export const READ = new Script(`${ALWAYS}
local task = redis.call('HMGET', KEYS[1], 'version', 'holder', 'due', 'ended', 'text')
if not task[1] and redis.call('ZSCORE', KEYS[2], ARGV[1]) then return { 'expired' } end
return task`);

/** Key: the times. All ids. */
export const IDS = new Script(`${ALWAYS}return redis.call('ZRANGE', KEYS[1], 0, -1)`);

/** Key: the times. Arguments: the latest time, how many are left out, and the number of ids. Each id is followed by its time. */
export const DUE = new Script(
  `${ALWAYS}return redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', ARGV[2], ARGV[3], 'WITHSCORES')`,
);

/** Key: any of a server, as the nodes of a cluster have a time each. The time in milliseconds, as a text: it has more digits than a Lua number shows. */
export const NOW = new Script(
  `${ALWAYS}local time = redis.call('TIME') return time[1] .. string.format('%03d', math.floor(tonumber(time[2]) / 1000))`,
);

/** Key: the counts. Argument: the holder, or `*` for all. */
export const COUNTS = new Script(
  `${ALWAYS}return redis.call('HMGET', KEYS[1], 'unended ' .. ARGV[1], 'text ' .. ARGV[1])`,
);
