--[[
  Changes the priority of a job. One that is ready to run moves to its new place, wherever it waits; of one in another
  state only the field changes.

  KEYS[1] wait
  KEYS[2] paused
  KEYS[3] meta
  KEYS[4] prioritized
  KEYS[5] active
  KEYS[6] pc, the priority counter
  KEYS[7] marker

  ARGV[1] priority; the lowest is served first, and 0 is none
  ARGV[2] key prefix
  ARGV[3] job id
  ARGV[4] 1 to run the job before all others of its priority, else 0

  Steps:
    1. Where the job's hash is missing, return -1.
    2. Take the id out of `prioritized` or else out of the list it waits in. A queue can have waiting jobs in both lists,
       when runtimes that pause it in different ways share it.
    3. With a priority add the id to `prioritized`; without one push it to the list it was in, or to the one in use.
       To the front of its priority it goes without setting the marker; else set the marker, unless the queue is paused
       or at its concurrency.
    4. Write the job's `priority`, in any state.

  Reply: 0
  Codes: -1
  Events: none
]]
--- @include "includes/addToList"
--- @include "includes/addToPrioritized"
--- @include "includes/getTargetList"

local waitKey, pausedKey, prioritizedKey, markerKey = KEYS[1], KEYS[2], KEYS[4], KEYS[7]
local priority, jobId, isFirst = tonumber(ARGV[1]), ARGV[3], ARGV[4] == '1'
local jobKey = ARGV[2] .. jobId

if redis.call('EXISTS', jobKey) == 0 then
  return -1
end
local target, isBlocked = getTargetList(KEYS[3], KEYS[5], waitKey, pausedKey)
local other = target == waitKey and pausedKey or waitKey
-- All is read before the first write, so that a key of the wrong type stops the move before it began.
redis.call('LLEN', target)
redis.call('LLEN', other)
redis.call('HEXISTS', jobKey, 'priority')

local list
if redis.call('ZREM', prioritizedKey, jobId) == 1 or redis.call('LREM', target, -1, jobId) == 1 then
  list = target
elseif redis.call('LREM', other, -1, jobId) == 1 then
  list = other
end
if list and priority == 0 then
  addToList(list, markerKey, isBlocked, jobId, isFirst)
elseif list and isFirst then
  redis.call('ZADD', prioritizedKey, priority * 4294967296, jobId)
elseif list then
  addToPrioritized(prioritizedKey, KEYS[6], markerKey, isBlocked, jobId, priority)
end
redis.call('HSET', jobKey, 'priority', ARGV[1])
return 0
