--[[
  Puts an active job off: to retry it later, or because its worker wants it later.

  KEYS[1] marker
  KEYS[2] active
  KEYS[3] prioritized, unused
  KEYS[4] delayed
  KEYS[5] job hash
  KEYS[6] events
  KEYS[7] meta
  KEYS[8] stalled, the ids marked by the last pass

  ARGV[1] key prefix, unused
  ARGV[2] timestamp in ms
  ARGV[3] job id
  ARGV[4] token of the worker; "0" for none, and then no lock is looked at
  ARGV[5] delay in ms
  ARGV[6] 0 to count the attempt, 1 not to
  ARGV[7] MessagePack array of names and values of fields to write, or empty text

  Steps:
    1. Where the job's hash is missing, return -1.
    2. Where the lock is gone, return -2; where it is another worker's, return -6. Else drop lock and mark.
    3. Write the fields.
    4. Take the id out of `active`; where it is not there, return -3.
    5. Count the attempt if asked to, and note the delay in the hash.
    6. Add the id to `delayed` at the next free place of the millisecond it is due, and announce it.
    7. Set the marker to the time of the earliest delayed job, also while the queue is paused.

  Reply: 0
  Codes: -1, -2, -3, -6
  Events: delayed
]]
--- @include "includes/addDelayMarker"
--- @include "includes/countUp"
--- @include "includes/getDelayedScore"
--- @include "includes/getMaxEvents"
--- @include "includes/unlock"
--- @include "includes/updateFields"

local activeKey, delayedKey, jobKey = KEYS[2], KEYS[4], KEYS[5]
local timestamp, jobId, delay = tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[5])

if redis.call('EXISTS', jobKey) == 0 then
  return -1
end
-- All is read before the first write, so that a key of the wrong type stops the move before it began.
redis.call('HLEN', jobKey)
local score, due = getDelayedScore(delayedKey, timestamp, delay)

local refusal = unlock(jobKey, KEYS[8], ARGV[4], jobId)
if refusal < 0 then
  return refusal
end
updateFields(jobKey, ARGV[7])
if redis.call('LREM', activeKey, -1, jobId) == 0 then
  return -3
end

if ARGV[6] == '0' then
  countUp(jobKey, 'atm')
end
redis.call('HSET', jobKey, 'delay', ARGV[5])
redis.call('ZADD', delayedKey, score, jobId)
redis.call('XADD', KEYS[6], 'MAXLEN', '~', getMaxEvents(KEYS[7]), '*', 'event', 'delayed', 'jobId', jobId, 'delay', due)
addDelayMarker(KEYS[1], delayedKey)
return 0
