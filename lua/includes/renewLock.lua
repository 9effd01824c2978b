--- Gives a lock its full time again, where it is still the worker's own, and takes the mark of the stalled pass off the
--- job. Returns whether it did; a lock that is gone and one of another worker are not told apart.
local function renewLock(lockKey, stalledKey, token, durationMs, jobId)
  if redis.call('GET', lockKey) ~= token then
    return false
  end
  redis.call('SET', lockKey, token, 'PX', durationMs)
  redis.call('SREM', stalledKey, jobId)
  return true
end
