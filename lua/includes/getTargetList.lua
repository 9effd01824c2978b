--- Where a job without a priority goes now, and whether workers are kept from fetching it: the queue is paused, or as
--- many jobs are active as its concurrency allows.
local function getTargetList(metaKey, activeKey, waitKey, pausedKey)
  local settings = redis.call('HMGET', metaKey, 'paused', 'concurrency')
  if settings[1] then
    return pausedKey, true
  end
  local concurrency = tonumber(settings[2])
  if concurrency and redis.call('LLEN', activeKey) >= concurrency then
    return waitKey, true
  end
  return waitKey, false
end
