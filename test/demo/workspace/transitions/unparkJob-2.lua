--[[
  Puts a parked job back. Declares two keys in its name and reads a third: see the error, and its quick fix.

  KEYS[1] parked
  KEYS[2] wait
  ARGV[1] job id
]]
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then
  return -1
end
redis.call('LPUSH', KEYS[2], ARGV[1])
redis.call('XADD', KEYS[3], '*', 'event', 'waiting', 'jobId', ARGV[1])
return 0
