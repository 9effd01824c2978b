--- @include "activateJob"
--- @include "getRateLimitTtl"
--- @include "getTargetList"
--- @include "promoteDueJobs"
--- @include "takeFromPrioritized"
--- @include "takeFromWait"

--- Gives the job that runs next to a worker. Returns the reply to the worker: the job, or how long to wait, or that the
--- queue lets nobody fetch; nil when there is nothing to fetch, now or later. Jobs without a priority come first.
local function fetchNextJob(queue, timestamp, worker)
  local target, isBlocked, queueMax, queueWindow = getTargetList(queue.meta, queue.active, queue.wait, queue.paused)
  promoteDueJobs(queue, timestamp, target, isBlocked)

  -- The queue's own number of jobs goes before the worker's, but the worker's window before the queue's.
  local limiter = worker['limiter'] or {}
  local maxJobs = tonumber(queueMax) or tonumber(limiter['max'])
  local windowMs = tonumber(limiter['duration']) or tonumber(queueWindow)
  local ttl = getRateLimitTtl(queue.limiter, maxJobs)
  if ttl > 0 then
    return { 0, 0, ttl, 0 }
  elseif isBlocked then
    return { 0, 0, 0, 0 }
  end

  local jobId = takeFromWait(queue.wait, queue.active) or takeFromPrioritized(queue)
  if jobId then
    return activateJob(queue, jobId, timestamp, worker, maxJobs, windowMs)
  end
  local first = redis.call('ZRANGE', queue.delayed, 0, 0, 'WITHSCORES')
  if first[2] then
    return { 0, 0, 0, math.floor(tonumber(first[2]) / 4096) }
  end
  return nil
end
