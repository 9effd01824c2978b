--- @include "detachFromParent"
--- @include "findParent"
--- @include "removeJobKeys"

--- Deletes finished jobs, which their set still lists. A key that is no hash says nothing of a parent.
local function forgetFinishedJobs(prefix, jobIds)
  for _, jobId in ipairs(jobIds) do
    local jobKey = prefix .. jobId
    local isHash, parent = pcall(findParent, jobKey)
    if isHash and parent then
      detachFromParent(jobKey, parent)
    end
    removeJobKeys(jobKey)
  end
end
