--[[
  Removes all jobs that wait for a worker. The pending iterations of job schedulers stay.

  KEYS[1] wait
  KEYS[2] paused
  KEYS[3] delayed
  KEYS[4] prioritized
  KEYS[5] repeat

  ARGV[1] key prefix
  ARGV[2] 1 to remove the delayed jobs as well, else 0

  Steps:
    1. Note the pending iterations of all job schedulers.
    2. Delete the other jobs of `wait` and of `paused`, with the parents that waited for one of them alone, let go of
       the deduplication ids that they own, and take their ids out of the list.
    3. The same with `delayed`, where that is asked for, and with `prioritized`.

  Reply: nil
  Codes: none
  Events: none
]]
--- @include "includes/drainList"
--- @include "includes/drainSet"
--- @include "includes/getPendingIterations"

local prefix = ARGV[1]
-- All is read before the first write, so that a key of the wrong type stops the move before it began.
local protected = getPendingIterations(KEYS[5])
redis.call('LLEN', KEYS[1])
redis.call('LLEN', KEYS[2])
redis.call('ZCARD', KEYS[3])
redis.call('ZCARD', KEYS[4])

drainList(KEYS[1], prefix, protected)
drainList(KEYS[2], prefix, protected)
if ARGV[2] == '1' then
  drainSet(KEYS[3], prefix, protected)
end
drainSet(KEYS[4], prefix, protected)
return nil
