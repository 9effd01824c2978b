--[[
  Adds a row to a job's log.

  KEYS[1] job hash
  KEYS[2] the job's logs

  ARGV[1] job id, unused
  ARGV[2] the row
  ARGV[3] how many of the last rows to keep, or empty text for all

  Steps:
    1. Where the job's hash is missing, return -1.
    2. Append the row, and cut off the oldest where no more than so many are to be kept.

  Reply: how many rows there are now
  Codes: -1
  Events: none
]]

local logsKey, keep = KEYS[2], tonumber(ARGV[3])

if redis.call('EXISTS', KEYS[1]) == 0 then
  return -1
end
local count = redis.call('RPUSH', logsKey, ARGV[2])
if not keep then
  return count
end
redis.call('LTRIM', logsKey, -keep, -1)
return math.min(keep, count)
