--- @include "addDelayMarker"
--- @include "addToList"
--- @include "addToPrioritized"
--- @include "getTargetList"
--- @include "toFiniteNumber"

--- Lets a parent run, in its own queue, which may be another one: its keys are built from the parent's queue key. It
--- goes to the front of its list; its delay, when it has one, starts now.
local function releaseParent(parentQueueKey, parentKey, parentId, timestamp)
  local base = parentQueueKey .. ':'
  local eventsKey, markerKey = base .. 'events', base .. 'marker'
  local job = redis.call('HMGET', parentKey, 'priority', 'delay')
  local priority, delay = toFiniteNumber(job[1]), toFiniteNumber(job[2])
  if delay > 0 then
    local due = tonumber(timestamp) + delay
    redis.call('ZADD', base .. 'delayed', due * 4096, parentId)
    redis.call('XADD', eventsKey, '*', 'event', 'delayed', 'jobId', parentId, 'delay', due)
    addDelayMarker(markerKey, base .. 'delayed')
    return
  end
  local target, isBlocked = getTargetList(base .. 'meta', base .. 'active', base .. 'wait', base .. 'paused')
  if priority == 0 then
    addToList(target, markerKey, isBlocked, parentId, true)
  else
    addToPrioritized(base .. 'prioritized', base .. 'pc', markerKey, isBlocked, parentId, priority)
  end
  redis.call('XADD', eventsKey, '*', 'event', 'waiting', 'jobId', parentId, 'prev', 'waiting-children')
end
