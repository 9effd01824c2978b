--- @include "leaveParent"
--- @include "runParentNext"

--- Makes a parent no longer wait for a child. A parent that waited for this one alone runs next in its queue.
local function detachFromParent(childKey, parent)
  if leaveParent(childKey, parent) then
    runParentNext(parent)
    redis.call('XADD', parent.prefix .. 'events', '*', 'event', 'waiting', 'jobId', parent.id,
      'prev', 'waiting-children')
  end
end
