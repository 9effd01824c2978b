--[[
  Replaces the data of a job, if it is still what it was when it was read. The check is of every byte.

  KEYS[1] job hash

  ARGV[1] the data it must still be
  ARGV[2] the new data as JSON text, stored byte for byte

  Steps:
    1. Where the job's hash is missing, return -1.
    2. Where the data is another by now, return 0 and change nothing.
    3. Write the new data.

  Reply: 1 when it was written, 0 when the data is another by now
  Codes: -1
  Events: none
]]

if redis.call('EXISTS', KEYS[1]) == 0 then
  return -1
end
if redis.call('HGET', KEYS[1], 'data') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'data', ARGV[2])
return 1
