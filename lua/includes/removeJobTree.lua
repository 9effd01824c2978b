--- @include "detachFromParent"
--- @include "findParent"
--- @include "freeDeduplication"
--- @include "getMaxEvents"
--- @include "listChildren"
--- @include "removeJobKeys"
--- @include "splitJobKey"
--- @include "takeFromState"

--- Removes a job and, where asked for, its children, the deepest first. `parent` is the one it is reached from, or nil
--- to look the parent up. `seen` keeps a circle of parents from going round for ever.
local function removeJobTree(prefix, jobId, parent, includesChildren, seen)
  local jobKey = prefix .. jobId
  seen[jobKey] = true
  parent = parent or findParent(jobKey)
  if parent then
    detachFromParent(jobKey, parent)
  end
  if includesChildren then
    local this = { key = jobKey, prefix = prefix, id = jobId }
    for _, childKey in ipairs(listChildren(jobKey)) do
      local childPrefix, childId = splitJobKey(childKey)
      if childPrefix and not seen[childKey] then
        removeJobTree(childPrefix, childId, this, true, seen)
      end
    end
  end
  local state = takeFromState(prefix, jobId)
  freeDeduplication(prefix, jobId)
  if removeJobKeys(jobKey) > 0 then
    redis.call('XADD', prefix .. 'events', 'MAXLEN', '~', getMaxEvents(prefix .. 'meta'), '*', 'event', 'removed',
      'jobId', jobId, 'prev', state)
  end
end
