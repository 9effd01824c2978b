--- @include "countUp"

--- Gives a job that stands in `active` to a worker: counts it against the rate limit, locks it, and notes who has it
--- since when. Returns the reply to the worker. The marker is set in any case, so that each worker that wakes up wakes
--- the next. A lock that is there is overwritten: who fetches a job owns it.
local function activateJob(queue, jobId, timestamp, worker, maxJobs, windowMs)
  local jobKey = queue.prefix .. jobId
  if maxJobs and redis.call('INCR', queue.limiter) == 1 and windowMs then
    redis.call('PEXPIRE', queue.limiter, string.format('%.0f', math.floor(math.abs(windowMs))))
  end
  if worker['token'] ~= '0' then
    redis.call('SET', jobKey .. ':lock', worker['token'], 'PX', worker['lockDuration'])
  end
  redis.call('XADD', queue.events, '*', 'event', 'active', 'jobId', jobId, 'prev', 'waiting')
  if worker['name'] then
    redis.call('HMSET', jobKey, 'processedOn', timestamp, 'pb', worker['name'])
  else
    redis.call('HSET', jobKey, 'processedOn', timestamp)
  end
  countUp(jobKey, 'ats')
  redis.call('ZADD', queue.marker, 0, '0')
  return { redis.call('HGETALL', jobKey), jobId, 0, 0 }
end
