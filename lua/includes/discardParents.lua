--- @include "findParent"
--- @include "freeDeduplication"
--- @include "leaveParent"
--- @include "removeJobKeys"
--- @include "runParentNext"

--- Makes the parent of a job that goes no longer wait for it. A parent that waited for this one alone goes as well, and
--- its own parents by the same rule, without an event; one of another queue runs next there instead.
local function discardParents(childKey, prefix)
  local parent = findParent(childKey)
  if not parent or not leaveParent(childKey, parent) then
    return
  end
  if parent.prefix ~= prefix then
    runParentNext(parent)
    return
  end
  discardParents(parent.key, prefix)
  freeDeduplication(prefix, parent.id)
  removeJobKeys(parent.key)
end
