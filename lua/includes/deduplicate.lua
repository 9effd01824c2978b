--- @include "announceDeduplication"
--- @include "keepForLater"
--- @include "replaceDelayedOwner"

--- Settles who owns the deduplication id of a new job. Returns the id of the owner in whose favour the new job is
--- dropped, or nil when the new job is the owner now and is to be added. The time to live of ownership, in ms, does
--- not apply where the last job is kept: there the owner lets go when it finishes.
local function deduplicate(job, delayedKey, activeKey, eventsKey)
  local deduplication = job.options['de']
  local ownerKey = job.deduplicationKey
  if not deduplication or not deduplication['id'] or not ownerKey then
    return nil
  end
  local ttl = tonumber(deduplication['ttl']) or 0
  local expires = ttl > 0 and not deduplication['keepLastIfActive']
  local ownerId = redis.call('GET', ownerKey)

  if not ownerId then
    if expires then
      redis.call('SET', ownerKey, job.id, 'PX', ttl)
    else
      redis.call('SET', ownerKey, job.id)
    end
    return nil
  end

  if deduplication['replace'] then
    if replaceDelayedOwner(job, ownerId, ttl, expires, delayedKey, eventsKey) then
      return nil
    end
    keepForLater(job, ownerId, activeKey, eventsKey)
    return ownerId
  end

  if keepForLater(job, ownerId, activeKey, eventsKey) then
    return ownerId
  end
  if ttl > 0 and deduplication['extend'] then
    if expires then
      redis.call('SET', ownerKey, ownerId, 'PX', ttl)
    else
      redis.call('SET', ownerKey, ownerId)
    end
  end
  announceDeduplication(eventsKey, job.maxEvents, ownerId, deduplication['id'], job.id)
  return ownerId
end
