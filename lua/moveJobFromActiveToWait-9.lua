--[[
  Gives an active job back without an attempt made, as a worker does that is told of a rate limit.

  KEYS[1] active
  KEYS[2] wait
  KEYS[3] stalled, the ids marked by the last pass
  KEYS[4] paused
  KEYS[5] meta
  KEYS[6] limiter, the jobs counted in the rate limit's window
  KEYS[7] prioritized
  KEYS[8] marker
  KEYS[9] events

  ARGV[1] job id
  ARGV[2] token of the worker; "0" for none, and then no lock is looked at
  ARGV[3] job hash, as a key

  Steps:
    1. Where the job's hash is missing, return -1.
    2. Where the lock is gone, return -2; where it is another worker's, return -6. Else drop lock and mark.
    3. Take the id out of `active`; where it is not there, nothing is moved, and that is no error.
    4. With a priority put the id before all others of its priority. Else push it to `wait`, or to `paused` while the
      queue is paused, to run next, and set the marker, unless the queue is paused or at its concurrency.
    5. Announce the move.

  Reply: ms until the rate limit lets fetch, or 0
  Codes: -1, -2, -6
  Events: waiting
]]
--- @include "includes/addToList"
--- @include "includes/getMaxEvents"
--- @include "includes/getTargetList"
--- @include "includes/toFiniteNumber"
--- @include "includes/unlock"

local activeKey, metaKey, jobKey = KEYS[1], KEYS[5], ARGV[3]
local jobId = ARGV[1]

if redis.call('EXISTS', jobKey) == 0 then
  return -1
end
-- All is read before the first write, so that a key of the wrong type stops the move before it began.
local priority = toFiniteNumber(redis.call('HGET', jobKey, 'priority'))
redis.call('LLEN', (getTargetList(metaKey, activeKey, KEYS[2], KEYS[4])))

local refusal = unlock(jobKey, KEYS[3], ARGV[2], jobId)
if refusal < 0 then
  return refusal
end
if redis.call('LREM', activeKey, 1, jobId) > 0 then
  if priority > 0 then
    redis.call('ZADD', KEYS[7], priority * 4294967296, jobId)
  else
    -- Asked anew: taking the job out of `active` may have brought the queue below its concurrency.
    local target, isBlocked = getTargetList(metaKey, activeKey, KEYS[2], KEYS[4])
    addToList(target, KEYS[8], isBlocked, jobId, true)
  end
  redis.call('XADD', KEYS[9], 'MAXLEN', '~', getMaxEvents(metaKey), '*', 'event', 'waiting', 'jobId', jobId,
    'prev', 'active')
end
return math.max(redis.call('PTTL', KEYS[6]), 0)
