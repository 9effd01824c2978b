--[[
  Removes a job of which a backup was made, if its hash is still what went into the backup, byte for byte.

  KEYS[1] job hash
  KEYS[2] repeat

  ARGV[1] job id
  ARGV[2] key prefix
  ARGV[3] MessagePack array of the names of all fields that went into the backup
  ARGV[4] SHA-1 of their values, each after its length and a colon, in the same order

  Steps:
    1. Where the job is the pending iteration of a job scheduler, return -8.
    2. Where a worker holds the lock of the job, return -6.
    3. Where the hash is another by now, return 0 and change nothing.
    4. Make the parent no longer wait for the job; a parent that waited for it alone runs next.
    5. Take the id out of its state, let go of its deduplication id, if it owns it, and delete its keys.
    6. Announce the removal, where there were any keys.

  Reply: 1 when it was removed, 0 when the job is another by now
  Codes: -6, -8
  Events: removed, waiting
]]
--- @include "../includes/isPendingIteration"
--- @include "../includes/isUnchanged"
--- @include "../includes/removeJobTree"

local jobKey, jobId = KEYS[1], ARGV[1]

if isPendingIteration(jobKey, jobId, KEYS[2]) then
  return -8
end
if redis.call('EXISTS', jobKey .. ':lock') == 1 then
  return -6
end
if not isUnchanged(jobKey, cmsgpack.unpack(ARGV[3]), ARGV[4]) then
  return 0
end
removeJobTree(ARGV[2], jobId, nil, false, {})
return 1
