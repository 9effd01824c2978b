--- @include "releaseParentIfWaiting"

--- Lets a parent run when none of its children is outstanding and it waits for them.
local function releaseParentIfSettled(parentQueueKey, parentKey, parentId, timestamp)
  if redis.call('SCARD', parentKey .. ':dependencies') == 0 then
    releaseParentIfWaiting(parentQueueKey, parentKey, parentId, timestamp)
  end
end
