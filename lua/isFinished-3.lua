--[[
  Tells whether a job is finished, and how. It writes nothing.

  KEYS[1] completed
  KEYS[2] failed
  KEYS[3] job hash

  ARGV[1] job id
  ARGV[2] 1 to give the outcome as well, else empty text

  Steps:
    1. Where the job's hash is missing, return -1.
    2. Look into both finished states.

  Reply: 1 when it is completed, 2 when it has failed, 0 when it is neither. Where the outcome is asked for, an array of
    that number and the return value or the reason; of -1 and a sentence where the hash is missing; of 0 alone
  Codes: -1
  Events: none
]]

local jobKey, jobId, givesOutcome = KEYS[3], ARGV[1], ARGV[2] == '1'

if redis.call('EXISTS', jobKey) == 0 then
  if givesOutcome then
    return { -1, 'Missing key for job ' .. jobKey .. '. isFinished' }
  end
  return -1
end
if redis.call('ZSCORE', KEYS[1], jobId) then
  return givesOutcome and { 1, redis.call('HGET', jobKey, 'returnvalue') } or 1
end
if redis.call('ZSCORE', KEYS[2], jobId) then
  return givesOutcome and { 2, redis.call('HGET', jobKey, 'failedReason') } or 2
end
return givesOutcome and { 0 } or 0
