--- @include "canHoldJob"
--- @include "discardParents"
--- @include "freeDeduplication"
--- @include "removeJobKeys"

--- Deletes a job whose id the caller takes out of its state, together with the parents that waited for it alone. No
--- event tells of it.
local function discardJob(prefix, jobId)
  local jobKey = prefix .. jobId
  if canHoldJob(jobKey) then
    discardParents(jobKey, prefix)
    freeDeduplication(prefix, jobId)
  end
  removeJobKeys(jobKey)
end
