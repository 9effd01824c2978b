--- @include "releaseParent"

--- Lets a parent run when none of its children is outstanding and it waits for them.
local function releaseParentIfSettled(parentQueueKey, parentKey, parentId, timestamp)
  if redis.call('SCARD', parentKey .. ':dependencies') > 0 or redis.call('EXISTS', parentKey) == 0 then
    return
  end
  if redis.call('ZREM', parentQueueKey .. ':waiting-children', parentId) == 1 then
    releaseParent(parentQueueKey, parentKey, parentId, timestamp)
  end
end
