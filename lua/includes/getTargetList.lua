--- Where a job without a priority goes now, and whether workers are kept from fetching it: the queue is paused, or as
--- many jobs are active as its concurrency allows. The queue's own rate limit comes along, as it is stored: the number
--- of jobs, and the window in ms.
local function getTargetList(metaKey, activeKey, waitKey, pausedKey)
  local settings = redis.call('HMGET', metaKey, 'paused', 'concurrency', 'max', 'duration')
  local maxJobs, windowMs = settings[3], settings[4]
  if settings[1] then
    return pausedKey, true, maxJobs, windowMs
  end
  local concurrency = tonumber(settings[2])
  if concurrency and redis.call('LLEN', activeKey) >= concurrency then
    return waitKey, true, maxJobs, windowMs
  end
  return waitKey, false, maxJobs, windowMs
end
