--[[
  Puts an active job whose attempt failed back to run at once.

  KEYS[1] active
  KEYS[2] wait
  KEYS[3] paused
  KEYS[4] job hash
  KEYS[5] meta
  KEYS[6] events
  KEYS[7] delayed
  KEYS[8] prioritized
  KEYS[9] pc, the priority counter
  KEYS[10] marker
  KEYS[11] stalled, the ids marked by the last pass

  ARGV[1] key prefix
  ARGV[2] timestamp in ms
  ARGV[3] LPUSH, or RPUSH to run the job next
  ARGV[4] job id
  ARGV[5] token of the worker; "0" for none, and then no lock is looked at
  ARGV[6] MessagePack array of names and values of fields to write, or empty text

  Steps:
    1. Make delayed jobs that are due ready to run, at most 1000, whatever comes after it.
    2. Where the job's hash is missing, return -1.
    3. Where the lock is gone, return -2; where it is another worker's, return -6. Else drop lock and mark.
    4. Write the fields.
    5. Take the id out of `active`; where it is not there, return -3.
    6. Without a priority push the id to `wait`, or to `paused` while the queue is paused; else add it to `prioritized`.
    7. Set the marker, unless the queue is paused or at its concurrency.
    8. Count the attempt, and announce the move.

  Reply: 0
  Codes: -1, -2, -3, -6
  Events: waiting
]]
--- @include "includes/addToList"
--- @include "includes/addToPrioritized"
--- @include "includes/countUp"
--- @include "includes/getMaxEvents"
--- @include "includes/getTargetList"
--- @include "includes/promoteDueJobs"
--- @include "includes/toFiniteNumber"
--- @include "includes/unlock"
--- @include "includes/updateFields"

local activeKey, jobKey, metaKey = KEYS[1], KEYS[4], KEYS[5]
local jobId, fromTail = ARGV[4], ARGV[3] == 'RPUSH'
local queue = {
  prefix = ARGV[1],
  delayed = KEYS[7],
  prioritized = KEYS[8],
  counter = KEYS[9],
  events = KEYS[6],
  marker = KEYS[10],
}

local target, isBlocked = getTargetList(metaKey, activeKey, KEYS[2], KEYS[3])
promoteDueJobs(queue, tonumber(ARGV[2]), target, isBlocked)

if redis.call('EXISTS', jobKey) == 0 then
  return -1
end
-- All is read before the first write of this job, so that a key of the wrong type stops the move before it began.
local priority = toFiniteNumber(redis.call('HGET', jobKey, 'priority'))
redis.call('LLEN', target)

local refusal = unlock(jobKey, KEYS[11], ARGV[5], jobId)
if refusal < 0 then
  return refusal
end
updateFields(jobKey, ARGV[6])
if redis.call('LREM', activeKey, -1, jobId) == 0 then
  return -3
end

-- Asked anew: taking the job out of `active` may have brought the queue below its concurrency.
target, isBlocked = getTargetList(metaKey, activeKey, KEYS[2], KEYS[3])
if priority == 0 then
  addToList(target, queue.marker, isBlocked, jobId, fromTail)
else
  addToPrioritized(queue.prioritized, queue.counter, queue.marker, isBlocked, jobId, priority)
end
countUp(jobKey, 'atm')
redis.call('XADD', queue.events, 'MAXLEN', '~', getMaxEvents(metaKey), '*', 'event', 'waiting', 'jobId', jobId,
  'prev', 'active')
return 0
