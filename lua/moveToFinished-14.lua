--[[
  Finishes an active job, completed or failed, and gives its worker the next one if asked to.

  KEYS[1] wait
  KEYS[2] active
  KEYS[3] prioritized
  KEYS[4] events
  KEYS[5] stalled, the ids marked by the last pass
  KEYS[6] limiter, the jobs counted in the rate limit's window
  KEYS[7] delayed
  KEYS[8] paused
  KEYS[9] meta
  KEYS[10] pc, the priority counter
  KEYS[11] completed or failed, where the job goes
  KEYS[12] job hash
  KEYS[13] metrics of completed or of failed jobs
  KEYS[14] marker

  ARGV[1] job id
  ARGV[2] timestamp in ms
  ARGV[3] field of the outcome: returnvalue or failedReason
  ARGV[4] the outcome: JSON text of a return value, or the text of a reason
  ARGV[5] completed or failed
  ARGV[6] 1 to give the next job, else 0
  ARGV[7] key prefix
  ARGV[8] MessagePack map about worker and job: `token`, `name` or nil, `keepJobs` (`count`, `age` in seconds, `limit`),
    `limiter` (`max`, and `duration` in ms) or nil, `lockDuration` in ms, `attempts`, `maxMetricsSize` in minutes or
    empty text
  ARGV[9] MessagePack array of names and values of fields to write, or empty text

  Steps:
    1. Where the job's hash is missing, return -1.
    2. A job cannot complete while children are outstanding: return -4; nor when children failed: return -9.
    3. Where the lock is gone, return -2; where it is another worker's, return -6. Else drop lock and mark.
    4. Write the fields.
    5. Take the id out of `active`; where it is not there, return -3.
    6. Trim the event stream.
    7. Let the job go as owner of its deduplication id, and add the job that was kept until then.
    8. Tell the parent, which runs when the policy and its other children let it.
    9. Count the attempt, note the outcome, and delete finished jobs that are not to be kept; or delete the job itself,
      and take it off its parent.
    10. Announce the outcome, and of a failed job that no attempts are left.
    11. Count the job in the metrics.
    12. If asked to, give the worker the next job, as moveToActive does, and return what that returns.
    13. When no job waits or is active, announce that the queue is drained.

  Reply: 0, or the reply of moveToActive
  Codes: -1, -2, -3, -4, -6, -9
  Events: completed, failed, retries-exhausted, drained, waiting, active, added, delayed
]]
--- @include "includes/applyKeepPolicy"
--- @include "includes/countUp"
--- @include "includes/detachFromParent"
--- @include "includes/fetchNextJob"
--- @include "includes/finishDeduplication"
--- @include "includes/getMaxEvents"
--- @include "includes/noteChildCompleted"
--- @include "includes/noteChildFailed"
--- @include "includes/readParent"
--- @include "includes/recordMetrics"
--- @include "includes/removeJobKeys"
--- @include "includes/unlock"
--- @include "includes/updateFields"

local queue = {
  prefix = ARGV[7],
  wait = KEYS[1],
  active = KEYS[2],
  prioritized = KEYS[3],
  events = KEYS[4],
  limiter = KEYS[6],
  delayed = KEYS[7],
  paused = KEYS[8],
  meta = KEYS[9],
  counter = KEYS[10],
  marker = KEYS[14],
}
local finishedKey, jobKey = KEYS[11], KEYS[12]
local jobId, timestamp, value, isCompleted = ARGV[1], tonumber(ARGV[2]), ARGV[4], ARGV[5] == 'completed'
local options = cmsgpack.unpack(ARGV[8])
local keepJobs = options['keepJobs'] or {}

if redis.call('EXISTS', jobKey) == 0 then
  return -1
end
if isCompleted then
  if redis.call('SCARD', jobKey .. ':dependencies') > 0 then
    return -4
  elseif redis.call('ZCARD', jobKey .. ':unsuccessful') > 0 then
    return -9
  end
end
-- All is read before the first write, so that a key of the wrong type stops the move before it began.
local stored = redis.call('HMGET', jobKey, 'parentKey', 'parent', 'deid')
redis.call('ZCARD', finishedKey)

local refusal = unlock(jobKey, KEYS[5], options['token'], jobId)
if refusal < 0 then
  return refusal
end
updateFields(jobKey, ARGV[9])
if redis.call('LREM', queue.active, -1, jobId) == 0 then
  return -3
end

local maxEvents = getMaxEvents(queue.meta)
redis.call('XTRIM', queue.events, 'MAXLEN', '~', maxEvents)
if stored[3] then
  finishDeduplication(queue, stored[3], jobId, timestamp, maxEvents)
end

local parent = readParent(stored[1], stored[2])
if parent and isCompleted then
  noteChildCompleted(parent, jobKey, value, timestamp)
elseif parent then
  noteChildFailed(parent, jobKey, value, timestamp)
end

local attemptsMade = countUp(jobKey, 'atm')
if keepJobs['count'] == 0 then
  removeJobKeys(jobKey)
  if parent then
    detachFromParent(jobKey, parent)
  end
else
  redis.call('ZADD', finishedKey, timestamp, jobId)
  redis.call('HSET', jobKey, ARGV[3], value, 'finishedOn', timestamp)
  if not isCompleted then
    redis.call('HDEL', jobKey, 'defa')
  end
  applyKeepPolicy(queue.prefix, finishedKey, keepJobs, timestamp)
end

if isCompleted then
  redis.call('XADD', queue.events, '*', 'event', 'completed', 'jobId', jobId, 'returnvalue', value, 'prev', 'active')
else
  redis.call('XADD', queue.events, '*', 'event', 'failed', 'jobId', jobId, 'failedReason', value, 'prev', 'active')
  if attemptsMade >= (tonumber(options['attempts']) or 0) then
    redis.call('XADD', queue.events, '*', 'event', 'retries-exhausted', 'jobId', jobId, 'attemptsMade', attemptsMade)
  end
end
local metricsSize = tonumber(options['maxMetricsSize'])
if metricsSize then
  recordMetrics(KEYS[13], metricsSize, timestamp)
end

local reply = ARGV[6] == '1' and fetchNextJob(queue, timestamp, options)
if reply then
  return reply
end
if redis.call('LLEN', queue.wait) == 0 and redis.call('LLEN', queue.active) == 0
  and redis.call('ZCARD', queue.prioritized) == 0 then
  redis.call('XADD', queue.events, '*', 'event', 'drained')
end
return 0
