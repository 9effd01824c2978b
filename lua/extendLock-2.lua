--[[
  Gives the lock of a job its full time again, for the worker that holds it.

  KEYS[1] lock of the job
  KEYS[2] stalled, the ids marked by the last pass

  ARGV[1] token of the worker
  ARGV[2] duration of the lock in ms
  ARGV[3] job id

  Steps:
    1. Where the lock is gone or another worker's, return 0.
    2. Set the lock anew, and take the job's mark off.

  Reply: 1 when the lock was renewed, else 0
  Codes: none
  Events: none
]]
--- @include "includes/renewLock"

if renewLock(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]) then
  return 1
end
return 0
