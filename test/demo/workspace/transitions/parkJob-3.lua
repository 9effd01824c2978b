--[[
  Parks a waiting job: takes it out of its list and keeps it in a sorted set until somebody asks for it.

  KEYS[1] wait
  KEYS[2] parked
  KEYS[3] events
  ARGV[1] job id
  ARGV[2] time in ms
]]
local removed = redis.call('LREM', KEYS[1], -1, ARGV[1])
if removed == 0 then
  return -1
end
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
redis.call('XADD', KEYS[3], '*', 'event', 'parked', 'jobId', ARGV[1])
return 0
