--- @include "addToList"
--- @include "getTargetList"

--- Makes a parent no longer wait for a child. A parent that waited for this one alone runs next in its queue; its
--- priority and its delay are not looked at. Returns whether the parent waited for the child.
local function detachFromParent(childKey, parent)
  local dependenciesKey = parent.key .. ':dependencies'
  if redis.call('SREM', dependenciesKey, childKey) == 0 then
    return false
  end
  if redis.call('SCARD', dependenciesKey) == 0
    and redis.call('ZREM', parent.prefix .. 'waiting-children', parent.id) == 1 then
    local target, isBlocked = getTargetList(parent.prefix .. 'meta', parent.prefix .. 'active',
      parent.prefix .. 'wait', parent.prefix .. 'paused')
    addToList(target, parent.prefix .. 'marker', isBlocked, parent.id, true)
    redis.call('XADD', parent.prefix .. 'events', '*', 'event', 'waiting', 'jobId', parent.id,
      'prev', 'waiting-children')
  end
  return true
end
