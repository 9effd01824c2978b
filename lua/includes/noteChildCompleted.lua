--- @include "releaseParentIfSettled"

--- Hands the result of a completed child to its parent, which runs when none of its children is outstanding. A child
--- that the parent does not wait for changes nothing.
local function noteChildCompleted(parent, childKey, value, timestamp)
  if redis.call('SREM', parent.key .. ':dependencies', childKey) == 1 then
    redis.call('HSET', parent.key .. ':processed', childKey, value)
    releaseParentIfSettled(parent.queueKey, parent.key, parent.id, timestamp)
  end
end
