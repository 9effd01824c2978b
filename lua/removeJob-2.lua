--[[
  Removes a job from whatever state it is in, with all that hangs below it.

  KEYS[1] job hash
  KEYS[2] repeat

  ARGV[1] job id
  ARGV[2] 1 to remove the children as well, else 0
  ARGV[3] key prefix

  Steps:
    1. Where the job is the pending iteration of a job scheduler, return -8.
    2. Where a worker holds the lock of the job, or of a child that is to go and that its parent waits for, return 0.
    3. Make the parent no longer wait for the job; a parent that waited for it alone runs next.
    4. Remove the children, where that is asked for, each by these steps from the third on.
    5. Take the id out of its state.
    6. Let go of the job's deduplication id, if the job owns it.
    7. Delete the job's keys, all but a lock. Where there were any, announce the removal.

  Reply: 1, also for a job that does not exist; 0 where a lock kept all as it was
  Codes: -8
  Events: removed, waiting
]]
--- @include "includes/isPendingIteration"
--- @include "includes/isTreeLocked"
--- @include "includes/removeJobTree"

local jobKey, jobId, includesChildren = KEYS[1], ARGV[1], ARGV[2] == '1'

if isPendingIteration(jobKey, jobId, KEYS[2]) then
  return -8
end
if isTreeLocked(jobKey, includesChildren, {}) then
  return 0
end
removeJobTree(ARGV[3], jobId, nil, includesChildren, {})
return 1
