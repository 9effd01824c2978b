--[[
  Puts active jobs whose worker let the lock lapse back to run, and marks the jobs that are active now for the next
  pass. A job is taken for lost when it was marked by the pass before and has no lock.

  KEYS[1] stalled, the ids marked by the pass before
  KEYS[2] wait
  KEYS[3] active
  KEYS[4] stalled-check, the throttle
  KEYS[5] meta
  KEYS[6] paused
  KEYS[7] marker
  KEYS[8] events

  ARGV[1] how often a job may stall before it is failed
  ARGV[2] key prefix
  ARGV[3] timestamp in ms
  ARGV[4] throttle in ms: no further pass until then

  Steps:
    1. While the throttle stands, return an empty array.
    2. Set the throttle, and trim the event stream.
    3. Take all marks. Of the marked jobs, leave those that have a lock, are no longer active, or are no hash: a worker
       that was given one of these would break.
    4. Take each of the others out of `active` and count the stall. Past the limit note a deferred failure, with which
       the next worker fails the job; iterations of a scheduler are exempt.
    5. Push it to `wait`, or to `paused` while the queue is paused, to be served next; set the marker, unless the queue
       is paused or at its concurrency; announce the move and the stall.
    6. Mark every job that is active now.

  Reply: the ids of the recovered jobs, as an array
  Codes: none
  Events: waiting, stalled
]]
--- @include "includes/addToList"
--- @include "includes/canHoldJob"
--- @include "includes/getMaxEvents"
--- @include "includes/getTargetList"
--- @include "includes/markActiveJobs"
--- @include "includes/recordStall"

local stalledKey, activeKey, metaKey, eventsKey = KEYS[1], KEYS[3], KEYS[5], KEYS[8]
local maxStalls, prefix = tonumber(ARGV[1]), ARGV[2]

if redis.call('EXISTS', KEYS[4]) == 1 then
  return {}
end
-- Read before the first write, so that a list of the wrong type stops the pass before it began.
redis.call('LLEN', (getTargetList(metaKey, activeKey, KEYS[2], KEYS[6])))
redis.call('SET', KEYS[4], ARGV[3], 'PX', ARGV[4])
redis.call('XTRIM', eventsKey, 'MAXLEN', '~', getMaxEvents(metaKey))

local marked = redis.call('SMEMBERS', stalledKey)
if #marked > 0 then
  redis.call('DEL', stalledKey)
end

local recovered = {}
for _, jobId in ipairs(marked) do
  if string.sub(jobId, 1, 2) == '0:' then
    -- A marker that an older release kept in the list: no job.
    redis.call('LREM', activeKey, 1, jobId)
  elseif redis.call('EXISTS', prefix .. jobId .. ':lock') == 0 and canHoldJob(prefix .. jobId)
    and redis.call('LREM', activeKey, 1, jobId) > 0 then
    recordStall(prefix .. jobId, maxStalls)
    -- Asked anew for each job: taking one out of `active` may have brought the queue below its concurrency.
    local target, isBlocked = getTargetList(metaKey, activeKey, KEYS[2], KEYS[6])
    addToList(target, KEYS[7], isBlocked, jobId, true)
    redis.call('XADD', eventsKey, '*', 'event', 'waiting', 'jobId', jobId, 'prev', 'active')
    redis.call('XADD', eventsKey, '*', 'event', 'stalled', 'jobId', jobId)
    recovered[#recovered + 1] = jobId
  end
end

markActiveJobs(activeKey, stalledKey)
return recovered
