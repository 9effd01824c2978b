--- @include "addBaseMarker"
--- @include "addToPrioritized"
--- @include "toFiniteNumber"

--- Makes the delayed jobs that are due ready to run, at most 1000 a time, the earliest first. A job's option `lifo` is
--- not looked at.
local function promoteDueJobs(queue, timestamp, target, isBlocked)
  -- Near 2^53 scores are written out in full: Lua's own conversion to text keeps 14 digits only.
  local lastPlace = string.format('%.17g', (timestamp + 1) * 4096 - 1)
  local jobIds = redis.call('ZRANGEBYSCORE', queue.delayed, 0, lastPlace, 'LIMIT', 0, 1000)
  if #jobIds == 0 then
    return
  end

  -- All is read before the first write, so that nothing stops the move when ids are out of `delayed` and in no list
  -- yet. An id whose key is no hash moves like one without a hash; its key is left as it is.
  redis.call('LLEN', target)
  local stored = {}
  for i, jobId in ipairs(jobIds) do
    stored[i] = redis.pcall('HGET', queue.prefix .. jobId, 'priority')
  end

  redis.call('ZREM', queue.delayed, unpack(jobIds))
  for i, jobId in ipairs(jobIds) do
    local isHash = type(stored[i]) ~= 'table'
    local priority = isHash and toFiniteNumber(stored[i]) or 0
    if priority == 0 then
      redis.call('LPUSH', target, jobId)
    else
      -- As if blocked: the marker is set once, below.
      addToPrioritized(queue.prioritized, queue.counter, queue.marker, true, jobId, priority)
    end
    redis.call('XADD', queue.events, '*', 'event', 'waiting', 'jobId', jobId, 'prev', 'delayed')
    if isHash then
      redis.call('HSET', queue.prefix .. jobId, 'delay', 0)
    end
  end
  addBaseMarker(queue.marker, isBlocked)
end
