--[[
  Makes many jobs of one state ready to run again, those with the lowest scores first. A priority is not looked at.

  KEYS[1] key prefix
  KEYS[2] events
  KEYS[3] failed, completed or delayed, where the jobs are now
  KEYS[4] wait
  KEYS[5] paused
  KEYS[6] meta
  KEYS[7] active
  KEYS[8] marker

  ARGV[1] how many jobs at most
  ARGV[2] the highest score to move
  ARGV[3] the state the jobs are in: failed, completed or delayed

  Steps:
    1. Choose the ids with the lowest scores.
    2. Of finished jobs, drop the fields of the finished run from the hash. Where the parent exists and had noted the
       outcome, take the note back and make the parent wait again.
    3. Announce each move.
    4. Take the ids out of their state and push them to `wait`, or to `paused` while the queue is paused.
    5. Set the marker, unless the queue is paused or at its concurrency.

  Reply: 1 when as many as asked for were moved, so that there may be more, else 0
  Codes: none
  Events: waiting
]]
--- @include "includes/addBaseMarker"
--- @include "includes/getMaxEvents"
--- @include "includes/getTargetList"
--- @include "includes/reopenChild"

local prefix, eventsKey, stateKey, metaKey = KEYS[1], KEYS[2], KEYS[3], KEYS[6]
local count, state = tonumber(ARGV[1]), ARGV[3]
local outcomeField = ({ failed = 'failedReason', completed = 'returnvalue' })[state]

local target, isBlocked = getTargetList(metaKey, KEYS[7], KEYS[4], KEYS[5])
local ids = redis.call('ZRANGEBYSCORE', stateKey, 0, ARGV[2], 'LIMIT', 0, count)
if #ids == 0 then
  return 0
end

-- All is read before the first write, so that nothing stops the move half-way. An id whose key is no hash moves like
-- one without a hash.
redis.call('LLEN', target)
local parentKeys = {}
for i, jobId in ipairs(ids) do
  parentKeys[i] = redis.pcall('HGET', prefix .. jobId, 'parentKey')
end

local maxEvents = getMaxEvents(metaKey)
for i, jobId in ipairs(ids) do
  local jobKey, parentKey = prefix .. jobId, parentKeys[i]
  if outcomeField and type(parentKey) ~= 'table' then
    redis.call('HDEL', jobKey, 'finishedOn', 'processedOn', outcomeField)
    if parentKey then
      reopenChild(parentKey, jobKey, state)
    end
  end
  redis.call('XADD', eventsKey, 'MAXLEN', '~', maxEvents, '*', 'event', 'waiting', 'jobId', jobId, 'prev', state)
end
-- 7000 at a time: Lua can pass about 8000 values to a function.
for from = 1, #ids, 7000 do
  local to = math.min(from + 6999, #ids)
  redis.call('ZREM', stateKey, unpack(ids, from, to))
  redis.call('LPUSH', target, unpack(ids, from, to))
end
addBaseMarker(KEYS[8], isBlocked)
return #ids == count and 1 or 0
