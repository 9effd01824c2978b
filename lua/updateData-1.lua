--[[
  Replaces the data of a job, whatever it is by now.

  KEYS[1] job hash

  ARGV[1] data as JSON text, stored byte for byte

  Steps:
    1. Where the job's hash is missing, return -1.
    2. Write the data.

  Reply: 0
  Codes: -1
  Events: none
]]

if redis.call('EXISTS', KEYS[1]) == 0 then
  return -1
end
redis.call('HSET', KEYS[1], 'data', ARGV[1])
return 0
