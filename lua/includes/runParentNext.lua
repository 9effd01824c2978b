--- @include "addToList"
--- @include "getTargetList"

--- Puts a parent where its queue takes the next job from. Its priority and its delay are not looked at.
local function runParentNext(parent)
  local prefix = parent.prefix
  local target, isBlocked = getTargetList(prefix .. 'meta', prefix .. 'active', prefix .. 'wait', prefix .. 'paused')
  addToList(target, prefix .. 'marker', isBlocked, parent.id, true)
end
