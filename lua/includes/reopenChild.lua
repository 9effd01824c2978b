--- Takes back what a parent noted of a child that runs again, and makes it wait for the child once more. A failure is
--- noted in a sorted set or, where it was to be ignored, in a hash; a child noted nowhere changes nothing.
local function reopenChild(parentKey, childKey, previousState)
  if redis.call('EXISTS', parentKey) == 0 then
    return
  end
  local forgotten
  if previousState == 'failed' then
    forgotten = redis.call('ZREM', parentKey .. ':unsuccessful', childKey)
      + redis.call('HDEL', parentKey .. ':failed', childKey)
  else
    forgotten = redis.call('HDEL', parentKey .. ':processed', childKey)
  end
  if forgotten > 0 then
    redis.call('SADD', parentKey .. ':dependencies', childKey)
  end
end
