--[[
  Runs a finished job again.

  KEYS[1] job hash
  KEYS[2] events
  KEYS[3] completed or failed, where the job is now
  KEYS[4] wait
  KEYS[5] meta
  KEYS[6] paused
  KEYS[7] active
  KEYS[8] marker

  ARGV[1] job id
  ARGV[2] LPUSH, or RPUSH to run the job next
  ARGV[3] field to drop: returnvalue or failedReason
  ARGV[4] the state the job is in: completed or failed
  ARGV[5] 1 to forget the attempts made, else 0
  ARGV[6] 1 to forget the attempts started, else 0

  Steps:
    1. Where the job's hash is missing, return -1.
    2. Take the id out of its finished set; where it is not there, return -3.
    3. Drop the fields of the finished run from the hash.
    4. Push the id to `wait`, or to `paused` while the queue is paused. A priority is not looked at.
    5. Set the marker, unless the queue is paused or at its concurrency.
    6. Where the parent exists and had noted the outcome, take the note back and make the parent wait again.
    7. Announce the move.

  Reply: 1
  Codes: -1, -3
  Events: waiting
]]
--- @include "includes/addToList"
--- @include "includes/getMaxEvents"
--- @include "includes/getTargetList"
--- @include "includes/reopenChild"

local jobKey, eventsKey, finishedKey, metaKey = KEYS[1], KEYS[2], KEYS[3], KEYS[5]
local jobId, fromTail, previousState = ARGV[1], ARGV[2] == 'RPUSH', ARGV[4]

if redis.call('EXISTS', jobKey) == 0 then
  return -1
end
-- All is read before the first write, so that a key of the wrong type stops the move before it began.
local parentKey = redis.call('HGET', jobKey, 'parentKey')
local target, isBlocked = getTargetList(metaKey, KEYS[7], KEYS[4], KEYS[6])
redis.call('LLEN', target)
if redis.call('ZREM', finishedKey, jobId) == 0 then
  return -3
end

local dropped = { 'finishedOn', 'processedOn', ARGV[3] }
if ARGV[5] == '1' then
  dropped[#dropped + 1] = 'atm'
end
if ARGV[6] == '1' then
  dropped[#dropped + 1] = 'ats'
end
redis.call('HDEL', jobKey, unpack(dropped))

addToList(target, KEYS[8], isBlocked, jobId, fromTail)
if parentKey then
  reopenChild(parentKey, jobKey, previousState)
end
redis.call('XADD', eventsKey, 'MAXLEN', '~', getMaxEvents(metaKey), '*', 'event', 'waiting', 'jobId', jobId,
  'prev', previousState)
return 1
