--- @include "releaseParent"

--- Notes that a parent is to fail because a child did. Where it waits for its children or for its time it runs at once,
--- and the worker that fetches it fails it; where it runs already it fails when it is fetched again.
local function failParent(parent, childKey, timestamp)
  redis.call('ZADD', parent.key .. ':unsuccessful', timestamp, childKey)
  if redis.call('EXISTS', parent.key) == 0 then
    return
  end
  local isReleased = redis.call('ZREM', parent.prefix .. 'waiting-children', parent.id) == 1
  if not isReleased and redis.call('ZREM', parent.prefix .. 'delayed', parent.id) == 1 then
    redis.call('HSET', parent.key, 'delay', 0)
    isReleased = true
  end
  if isReleased or not redis.call('ZSCORE', parent.prefix .. 'failed', parent.id) then
    redis.call('HSET', parent.key, 'defa', 'child ' .. childKey .. ' failed')
  end
  if isReleased then
    releaseParent(parent.queueKey, parent.key, parent.id, timestamp)
  end
end
