--- @include "releaseParent"

--- Lets a parent run that exists and waits for its children, whatever became of them.
local function releaseParentIfWaiting(parentQueueKey, parentKey, parentId, timestamp)
  if redis.call('EXISTS', parentKey) == 1
    and redis.call('ZREM', parentQueueKey .. ':waiting-children', parentId) == 1 then
    releaseParent(parentQueueKey, parentKey, parentId, timestamp)
  end
end
