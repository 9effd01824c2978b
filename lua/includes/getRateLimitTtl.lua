--- How long in ms the rate limit still keeps workers from fetching; 0 when it does not. A counter without an expiry
--- limits nothing; one that is no number is an error, before anything is written.
local function getRateLimitTtl(limiterKey, maxJobs)
  if not maxJobs or maxJobs > tonumber(redis.call('GET', limiterKey) or 0) then
    return 0
  end
  local ttl = redis.call('PTTL', limiterKey)
  if ttl == 0 then
    redis.call('DEL', limiterKey)
  end
  return math.max(ttl, 0)
end
