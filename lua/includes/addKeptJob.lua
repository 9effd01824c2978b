--- @include "addDelayMarker"
--- @include "addToList"
--- @include "addToParent"
--- @include "addToPrioritized"
--- @include "getDelayedScore"
--- @include "getTargetList"
--- @include "storeJob"

--- Adds the job that was kept while the owner of its deduplication id was active, as the new owner. Where what was kept
--- cannot be read it stays as it is.
local function addKeptJob(queue, deduplicationId, timestamp, maxEvents)
  local keptKey = queue.prefix .. 'dn:' .. deduplicationId
  local kept = redis.call('HMGET', keptKey, 'name', 'data', 'opts', 'pk', 'pd', 'pdk', 'rjk')
  local isJson, options = pcall(cjson.decode, kept[3] or '')
  if not kept[1] or not kept[2] or not isJson or type(options) ~= 'table' then
    return
  end
  local id = string.format('%.0f', redis.call('INCR', queue.prefix .. 'id'))
  local job = {
    id = id,
    key = queue.prefix .. id,
    name = kept[1],
    data = kept[2],
    options = options,
    timestamp = timestamp,
    parentKey = kept[4],
    parent = kept[5] and cjson.decode(kept[5]),
    parentDependenciesKey = kept[6],
    repeatJobKey = kept[7],
  }
  redis.call('SET', queue.prefix .. 'de:' .. deduplicationId, id)
  storeJob(job, queue.events)

  local delay, priority = tonumber(options['delay']) or 0, tonumber(options['priority']) or 0
  if delay > 0 then
    local score, due = getDelayedScore(queue.delayed, timestamp, delay)
    redis.call('ZADD', queue.delayed, score, id)
    redis.call('XADD', queue.events, 'MAXLEN', '~', maxEvents, '*', 'event', 'delayed', 'jobId', id, 'delay', due)
    addDelayMarker(queue.marker, queue.delayed)
  else
    local target, isBlocked = getTargetList(queue.meta, queue.active, queue.wait, queue.paused)
    if priority > 0 then
      addToPrioritized(queue.prioritized, queue.counter, queue.marker, isBlocked, id, priority)
    else
      addToList(target, queue.marker, isBlocked, id, options['lifo'])
    end
    redis.call('XADD', queue.events, 'MAXLEN', '~', maxEvents, '*', 'event', 'waiting', 'jobId', id)
  end
  addToParent(job)
  redis.call('DEL', keptKey)
end
