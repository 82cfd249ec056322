/**
 * What Redis does in one step. A task is a hash; its id is in a sorted set by the time at which it is due; one hash has the counts of all and of
 * each holder: `unended *` tasks, and the bytes of `text *` and, of tasks that have ended, `ended *`, with the holder in place of the star.
 * Tasks that have ended are also in a set that is sorted by text, each twice: as `* <time> <id>` and with its holder. All keys have one slot,
 * and each change is published.
 */
import { Script } from '@sigil-mcp/redis/adapter';

/** Milliseconds that a key stays at least. */
const HOUR = 3_600_000;
/** A server that is no longer the master refuses scripts with a first line, unless they are marked as reading: it has old versions. */
const WRITES = '#!lua\n';
/** As above, also while the memory of Redis is full. */
const ALWAYS = '#!lua flags=allow-oom\n';

/**
 * Keys: the task, the times, the counts, the tasks that have ended. A count that is zero has no field. All expire when the last task is needed
 * no longer.
 */
const TASK = `
local function read()
  local version, holder, flag, length, ended = unpack(redis.call('HMGET', KEYS[1], 'version', 'holder', 'ended', 'length', 'end'))
  return { version = version, holder = holder, unended = flag == '1' and 0 or 1, bytes = tonumber(length or 0), ended = ended or '' }
end
local function count(field) return tonumber(redis.call('HGET', KEYS[3], field) or '0') end
local function add(holder, changes)
  for kind, change in pairs(changes) do
    for _, whose in ipairs(change == 0 and {} or { '*', holder }) do
      local field = kind .. ' ' .. whose
      if redis.call('HINCRBY', KEYS[3], field, string.format('%d', change)) == 0 then redis.call('HDEL', KEYS[3], field) end
    end
  end
end
-- Notes the difference between two states of a task in what counts it.
local function change(id, holder, before, after)
  for _, whose in ipairs(before.ended == after.ended and {} or { '*', holder }) do
    if before.ended ~= '' then redis.call('ZREM', KEYS[4], whose .. ' ' .. before.ended .. ' ' .. id) end
    if after.ended ~= '' then redis.call('ZADD', KEYS[4], 0, whose .. ' ' .. after.ended .. ' ' .. id) end
  end
  local function ended(task) return task.ended == '' and 0 or task.bytes end
  add(holder, { unended = after.unended - before.unended, text = after.bytes - before.bytes, ended = ended(after) - ended(before) })
end`;

/** A task that is not there counts as nothing. */
const NOTHING = "{ unended = 0, bytes = 0, ended = '' }";

/**
 * Arguments of what follows: id, channel, message, version, holder, due time, `1` if it has ended, text, bytes of the text, until when it is
 * kept (nothing for ever), the time (nothing for that of Redis); then the limits, and the command that publishes.
 */
const WRITE = `${TASK}
local function exceeded(holder, bytes, perHolder, all)
  if count('text ' .. holder) + bytes > tonumber(perHolder) then return 'bytesPerHolder' end
  if count('text *') + bytes > tonumber(all) then return 'bytes' end
end
-- In microseconds, of a fixed length.
local function now()
  if ARGV[11] ~= '' then return string.format('%016.0f', tonumber(ARGV[11]) * 1000) end
  local time = redis.call('TIME')
  return string.format('%010.0f%06.0f', tonumber(time[1]), tonumber(time[2]))
end
local function isNew(index) return redis.call('EXISTS', KEYS[index]) == 0 end
-- The keys of all tasks are kept as long as the task that is kept longest.
local function keep(new)
  local most = ARGV[10] ~= '' and math.max(tonumber(ARGV[10]) - tonumber(now()) / 1000, ${HOUR})
  for index, isNew in ipairs(new) do
    local before = isNew and 0 or redis.call('PTTL', KEYS[index])
    if not most then redis.call('PERSIST', KEYS[index])
    elseif before ~= -1 and before < most then redis.call('PEXPIRE', KEYS[index], string.format('%d', most)) end
  end
end
local function write(holder, before, new)
  local after = { unended = ARGV[7] == '1' and 0 or 1, bytes = tonumber(ARGV[9]), ended = '' }
  if after.unended == 0 then after.ended = before.ended ~= '' and before.ended or now() end
  if after.ended ~= before.ended then new[4] = isNew(4) end
  redis.call('HSET', KEYS[1], 'version', ARGV[4], 'holder', holder, 'due', ARGV[6], 'ended', ARGV[7], 'text', ARGV[8], 'length', ARGV[9], 'end', after.ended)
  redis.call('ZADD', KEYS[2], ARGV[6], ARGV[1])
  change(ARGV[1], holder, before, after)
  keep(new)
  redis.call(ARGV[#ARGV], ARGV[2], ARGV[3])
  return 'done'
end`;

/** The limits are those of a room, less what other slots have of the sums. */
export const CREATE = new Script(`${WRITES}${WRITE}
if not isNew(1) then return 'exists' end
local holder, own = ARGV[5], ARGV[7] == '1' and 0 or 1
if count('unended *') + own > tonumber(ARGV[12]) then return 'tasks' end
if count('unended ' .. holder) + own > tonumber(ARGV[13]) then return 'tasksPerHolder' end
return exceeded(holder, tonumber(ARGV[9]), ARGV[14], ARGV[15]) or write(holder, ${NOTHING}, { true, isNew(2), isNew(3) })`);

/** The limits are those of texts alone, for a text that grows. The version in Redis must be the one before. */
export const REPLACE = new Script(`${WRITES}${WRITE}
local before = read()
if not before.version or tonumber(before.version) + 1 ~= tonumber(ARGV[4]) then return 'changed' end
local more = tonumber(ARGV[9]) - before.bytes
return more > 0 and exceeded(before.holder, more, ARGV[12], ARGV[13]) or write(before.holder, before, { true, false, false })`);

/** Arguments: id, channel, message, version, the command that publishes. */
export const REMOVE = new Script(`${ALWAYS}${TASK}
local before = read()
if before.version ~= ARGV[4] then return 'changed' end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
change(ARGV[1], before.holder, before, ${NOTHING})
redis.call(ARGV[#ARGV], ARGV[2], ARGV[3])
return 'done'`);

/**
 * Counts again, where tasks have expired because no server has looked for long: their ids and counts are still there. Keys: the times, the
 * counts, the tasks that have ended, then the tasks of all ids; arguments: the ids.
 */
export const RECOUNT = new Script(`${ALWAYS}
if redis.call('ZCARD', KEYS[1]) ~= #ARGV then return 'changed' end
local counts, names = {}, {}
local function add(field, change) counts[field] = (counts[field] or 0) + change end
for index, id in ipairs(ARGV) do
  local holder, flag, length, ended = unpack(redis.call('HMGET', KEYS[index + 3], 'holder', 'ended', 'length', 'end'))
  if not holder then redis.call('ZREM', KEYS[1], id)
  else
    for _, whose in ipairs({ '*', holder }) do
      add('unended ' .. whose, flag == '1' and 0 or 1)
      add('text ' .. whose, tonumber(length))
      if ended and ended ~= '' then
        add('ended ' .. whose, tonumber(length))
        table.insert(names, whose .. ' ' .. ended .. ' ' .. id)
      end
    end
  end
end
local expires = { redis.call('PTTL', KEYS[2]), redis.call('PTTL', KEYS[3]) }
redis.call('DEL', KEYS[2], KEYS[3])
for field, number in pairs(counts) do
  if number ~= 0 then redis.call('HSET', KEYS[2], field, string.format('%d', number)) end
end
for _, name in ipairs(names) do redis.call('ZADD', KEYS[3], 0, name) end
for index, time in ipairs(expires) do if time > 0 then redis.call('PEXPIRE', KEYS[index + 1], time) end end
return 'done'`);

// These only read. They are scripts, so that a client of a cluster does not send them to a replica, which may have old versions.

/** Keys: the task, a set that has it. Arguments: its name there, the fields. A task that has expired is still in the set. */
export const READ = new Script(`${ALWAYS}
local task = redis.call('HMGET', KEYS[1], unpack(ARGV, 2))
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
  `${ALWAYS}return redis.call('HMGET', KEYS[1], 'unended ' .. ARGV[1], 'text ' .. ARGV[1], 'ended ' .. ARGV[1])`,
);

/** Key: the tasks that have ended. Arguments: the holder, or `*` for all, and how many. The first to end first. */
export const ENDED = new Script(
  `${ALWAYS}return redis.call('ZRANGE', KEYS[1], '[' .. ARGV[1] .. ' ', '(' .. ARGV[1] .. '!', 'BYLEX', 'LIMIT', 0, ARGV[2])`,
);
