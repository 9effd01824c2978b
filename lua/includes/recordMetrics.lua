--- Counts a finished job, and notes how many there were in each minute, newest first, at most `size` minutes. The job
--- that begins a new minute is counted in the one after. Does nothing to keys that hold something else.
local function recordMetrics(metricsKey, size, timestamp)
  local count = redis.pcall('HINCRBY', metricsKey, 'count', 1)
  if type(count) ~= 'number' then
    return
  end
  count = count - 1
  local previous = redis.call('HMGET', metricsKey, 'prevTS', 'prevCount')
  local previousTime, previousCount = tonumber(previous[1]), tonumber(previous[2]) or 0
  if not previousTime then
    redis.call('HMSET', metricsKey, 'prevTS', timestamp, 'prevCount', 0)
    return
  end
  local minutes = math.min(math.floor(timestamp / 60000) - math.floor(previousTime / 60000), size)
  if minutes <= 0 then
    return
  end
  local dataKey = metricsKey .. ':data'
  redis.call('LPUSH', dataKey, count - previousCount)
  for _ = 2, minutes do
    redis.call('LPUSH', dataKey, 0)
  end
  redis.call('LTRIM', dataKey, 0, size - 1)
  redis.call('HMSET', metricsKey, 'prevCount', count, 'prevTS', timestamp)
end
