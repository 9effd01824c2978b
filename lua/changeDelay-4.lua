--[[
  Changes when a delayed job is to run.

  KEYS[1] delayed
  KEYS[2] meta
  KEYS[3] marker
  KEYS[4] events

  ARGV[1] delay in ms from now; 0 makes it due now, and it stays delayed until a worker looks
  ARGV[2] timestamp in ms
  ARGV[3] job id
  ARGV[4] job hash's key

  Steps:
    1. Where the job's hash is missing, return -1.
    2. Where the id is not in `delayed`, return -3.
    3. Move the id to the next free place of the millisecond it is due, and write the job's `delay`.
    4. Announce it with the time it is due.
    5. Set the marker to the time of the earliest delayed job, also while the queue is paused.

  Reply: 0
  Codes: -1, -3
  Events: delayed
]]
--- @include "includes/addDelayMarker"
--- @include "includes/getDelayedScore"
--- @include "includes/getMaxEvents"

local delayedKey, jobId, jobKey = KEYS[1], ARGV[3], ARGV[4]

if redis.call('EXISTS', jobKey) == 0 then
  return -1
end
if not redis.call('ZSCORE', delayedKey, jobId) then
  return -3
end
-- The job's own place counts as taken: moved within its millisecond, it goes behind all others of it.
local score, due = getDelayedScore(delayedKey, tonumber(ARGV[2]), tonumber(ARGV[1]))
redis.call('HSET', jobKey, 'delay', ARGV[1])
redis.call('ZADD', delayedKey, score, jobId)
redis.call('XADD', KEYS[4], 'MAXLEN', '~', getMaxEvents(KEYS[2]), '*', 'event', 'delayed', 'jobId', jobId, 'delay', due)
addDelayMarker(KEYS[3], delayedKey)
return 0
