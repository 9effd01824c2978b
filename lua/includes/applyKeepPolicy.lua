--- @include "forgetFinishedJobs"

--- Deletes the finished jobs that are not to be kept: first those past an age in seconds, at most `limit` a time, then
--- all beyond the newest `count`.
local function applyKeepPolicy(prefix, finishedKey, policy, timestamp)
  local age, count, limit = tonumber(policy['age']), tonumber(policy['count']), tonumber(policy['limit']) or 1000
  if age then
    local oldest = string.format('%.17g', timestamp - age * 1000)
    local jobIds = redis.call('ZREVRANGEBYSCORE', finishedKey, oldest, '-inf', 'LIMIT', 0, limit)
    forgetFinishedJobs(prefix, jobIds)
    if #jobIds < limit then
      redis.call('ZREMRANGEBYSCORE', finishedKey, '-inf', oldest)
    else
      -- 7000 at a time: Lua can pass about 8000 values to a function.
      for from = 1, #jobIds, 7000 do
        redis.call('ZREM', finishedKey, unpack(jobIds, from, math.min(from + 6999, #jobIds)))
      end
    end
  end
  if count and count > 0 then
    forgetFinishedJobs(prefix, redis.call('ZREVRANGE', finishedKey, count, -1))
    redis.call('ZREMRANGEBYRANK', finishedKey, 0, -(count + 1))
  end
end
