--- @include "announceDeduplication"
--- @include "appendField"

--- While the owner of a deduplication id is active, keeps the newest rejected job's content, to be added when the
--- owner finishes. Returns false, having done nothing, when that is not asked for or the owner is not active.
local function keepForLater(job, ownerId, activeKey, eventsKey)
  local deduplication = job.options['de']
  if not deduplication['keepLastIfActive'] or not redis.call('LPOS', activeKey, ownerId) then
    return false
  end
  local fields = { 'name', job.name, 'data', job.data, 'opts', cjson.encode(job.options) }
  if job.parentKey then
    appendField(fields, 'pk', job.parentKey)
  end
  if job.parent then
    appendField(fields, 'pd', cjson.encode(job.parent))
  end
  if job.parentDependenciesKey then
    appendField(fields, 'pdk', job.parentDependenciesKey)
  end
  if job.repeatJobKey then
    appendField(fields, 'rjk', job.repeatJobKey)
  end
  redis.call('HSET', job.prefix .. 'dn:' .. deduplication['id'], unpack(fields))
  redis.call('PERSIST', job.deduplicationKey)
  announceDeduplication(eventsKey, job.maxEvents, ownerId, deduplication['id'], job.id)
  return true
end
