--[[
  Notes why the last attempt of a job failed, without moving the job.

  KEYS[1] job hash

  ARGV[1] stack traces as a JSON array of texts, oldest first
  ARGV[2] the reason in plain text

  Steps:
    1. Where the job's hash is missing, return -1.
    2. Write both.

  Reply: 0
  Codes: -1
  Events: none
]]

if redis.call('EXISTS', KEYS[1]) == 0 then
  return -1
end
redis.call('HMSET', KEYS[1], 'stacktrace', ARGV[1], 'failedReason', ARGV[2])
return 0
