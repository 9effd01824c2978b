--[[
  Notes how far a job is.

  KEYS[1] job hash
  KEYS[2] events
  KEYS[3] meta

  ARGV[1] job id
  ARGV[2] progress as JSON text

  Steps:
    1. Where the job's hash is missing, return -1.
    2. Write the progress, and announce it.

  Reply: 0
  Codes: -1
  Events: progress
]]
--- @include "includes/getMaxEvents"

local jobKey, progress = KEYS[1], ARGV[2]

if redis.call('EXISTS', jobKey) == 0 then
  return -1
end
redis.call('HSET', jobKey, 'progress', progress)
redis.call('XADD', KEYS[2], 'MAXLEN', '~', getMaxEvents(KEYS[3]), '*', 'event', 'progress', 'jobId', ARGV[1],
  'data', progress)
return 0
