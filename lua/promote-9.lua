--[[
  Makes a delayed job ready to run now.

  KEYS[1] delayed
  KEYS[2] wait
  KEYS[3] paused
  KEYS[4] meta
  KEYS[5] prioritized
  KEYS[6] active
  KEYS[7] pc, the priority counter
  KEYS[8] events
  KEYS[9] marker

  ARGV[1] key prefix
  ARGV[2] job id

  Steps:
    1. Where the id is not in `delayed`, return -3; also for a job that does not exist.
    2. Take the id out of `delayed`.
    3. Take a marker of an older release off the head of the target list.
    4. Without a priority push the id to `wait`, or to `paused` while the queue is paused; else add it to `prioritized`.
    5. Set the marker, unless the queue is paused or at its concurrency.
    6. Announce the move, and set the job's `delay` to 0.

  Reply: 0
  Codes: -3
  Events: waiting
]]
--- @include "includes/addToList"
--- @include "includes/addToPrioritized"
--- @include "includes/getTargetList"
--- @include "includes/toFiniteNumber"

local delayedKey, markerKey = KEYS[1], KEYS[9]
local jobId = ARGV[2]
local jobKey = ARGV[1] .. jobId

if not redis.call('ZSCORE', delayedKey, jobId) then
  return -3
end

-- All is read before the first write, so that a key of the wrong type stops the move before it began.
local priority = toFiniteNumber(redis.call('HGET', jobKey, 'priority'))
local target, isBlocked = getTargetList(KEYS[4], KEYS[6], KEYS[2], KEYS[3])
local head = redis.call('LINDEX', target, 0)

redis.call('ZREM', delayedKey, jobId)
if head and string.sub(head, 1, 2) == '0:' then
  redis.call('LPOP', target)
end
if priority == 0 then
  addToList(target, markerKey, isBlocked, jobId, false)
else
  addToPrioritized(KEYS[5], KEYS[7], markerKey, isBlocked, jobId, priority)
end
redis.call('XADD', KEYS[8], '*', 'event', 'waiting', 'jobId', jobId, 'prev', 'delayed')
redis.call('HSET', jobKey, 'delay', 0)
return 0
