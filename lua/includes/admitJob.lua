--- @include "deduplicate"
--- @include "getMaxEvents"
--- @include "joinExistingJob"

--- Decides whether a new job enters the queue, and gives it its id. Returns nil when it does, with `id`, `key` and
--- `maxEvents` set on the job; else what the add script returns. The counter moves whatever comes after it.
local function admitJob(job, metaKey, idKey, completedKey, delayedKey, activeKey, eventsKey)
  if job.parentKey and redis.call('EXISTS', job.parentKey) == 0 then
    return -5
  end
  local counter = redis.call('INCR', idKey)
  job.maxEvents = getMaxEvents(metaKey)
  if job.customId and job.customId ~= '' then
    job.id = job.customId
    job.key = job.prefix .. job.id
    if redis.call('EXISTS', job.key) == 1 then
      return joinExistingJob(job, completedKey, eventsKey)
    end
  else
    job.id = string.format('%.0f', counter)
    job.key = job.prefix .. job.id
  end
  return deduplicate(job, delayedKey, activeKey, eventsKey)
end
