--- @include "announceDeduplication"
--- @include "removeJobKeys"

--- Lets a new job take the place of the owner of its deduplication id, when that owner is still delayed. Returns
--- false, having done nothing, when it is elsewhere. A time to live that is not extended runs on under the new owner.
local function replaceDelayedOwner(job, ownerId, ttl, expires, delayedKey, eventsKey)
  local deduplication = job.options['de']
  if redis.call('ZREM', delayedKey, ownerId) == 0 then
    return false
  end
  removeJobKeys(job.prefix .. ownerId)
  redis.call('XADD', eventsKey, '*', 'event', 'removed', 'jobId', ownerId, 'prev', 'delayed')
  announceDeduplication(eventsKey, job.maxEvents, job.id, deduplication['id'], ownerId)
  if not expires then
    redis.call('SET', job.deduplicationKey, job.id)
  elseif deduplication['extend'] then
    redis.call('SET', job.deduplicationKey, job.id, 'PX', ttl)
  else
    redis.call('SET', job.deduplicationKey, job.id, 'KEEPTTL')
  end
  return true
end
