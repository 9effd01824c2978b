--[[
  Forgets how often a job has stalled, so that its next run is not failed at once for stalls of the past. The count must
  still be what it was when it was read, and no worker may hold the job.

  KEYS[1] job hash

  ARGV[1] the count it must still be, as text; empty for none

  Steps:
    1. Where the job's hash is missing, return -1.
    2. Where a worker holds the lock, return -6.
    3. Where the count is another by now, return 0 and change nothing.
    4. Drop the count and, where a deferred failure was noted for stalls, that as well.

  Reply: 1 when it was dropped, 0 when the count is another by now
  Codes: -1, -6
  Events: none
]]

local jobKey = KEYS[1]

if redis.call('EXISTS', jobKey) == 0 then
  return -1
end
if redis.call('EXISTS', jobKey .. ':lock') == 1 then
  return -6
end
if (redis.call('HGET', jobKey, 'stc') or '') ~= ARGV[1] then
  return 0
end
redis.call('HDEL', jobKey, 'stc')
if redis.call('HGET', jobKey, 'defa') == 'job stalled more than allowable limit' then
  redis.call('HDEL', jobKey, 'defa')
end
return 1
