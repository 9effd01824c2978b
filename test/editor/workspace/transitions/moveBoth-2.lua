-- Moves one job id from a list to a sorted set, and reads past its two keys.
local id = redis.call('RPOP', KEYS[1])
redis.call('ZADD', KEYS[2], ARGV[1], id)
return redis.call('LLEN', KEYS[3])
