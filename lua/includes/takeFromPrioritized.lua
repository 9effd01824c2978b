--- Moves the first id of `prioritized` to `active`; nil when there is none, and then priorities count from 1 again.
local function takeFromPrioritized(queue)
  local jobId = redis.call('ZPOPMIN', queue.prioritized)[1]
  if jobId then
    redis.call('LPUSH', queue.active, jobId)
  else
    redis.call('DEL', queue.counter)
  end
  return jobId
end
