--- @include "releaseParentIfSettled"

--- A job of this id is there already: gives it the new parent where that can be done, and announces the duplicate.
--- Returns what the add script returns: the id, or the code for a job whose living parent is another one.
local function joinExistingJob(job, completedKey, eventsKey)
  local parentKey = job.parentKey
  local storedParentKey = redis.call('HGET', job.key, 'parentKey')
  if parentKey and (not storedParentKey or storedParentKey == parentKey) then
    if redis.call('ZSCORE', completedKey, job.id) then
      local value = redis.call('HGET', job.key, 'returnvalue') or 'null'
      redis.call('HSET', parentKey .. ':processed', job.key, value)
      releaseParentIfSettled(job.parent['queueKey'], parentKey, job.parent['id'], job.timestamp)
    else
      redis.call('SADD', parentKey .. ':dependencies', job.key)
    end
    redis.call('HMSET', job.key, 'parentKey', parentKey, 'parent', cjson.encode(job.parent))
  elseif parentKey and redis.call('EXISTS', storedParentKey) == 1 then
    return -7
  end
  redis.call('XADD', eventsKey, 'MAXLEN', '~', job.maxEvents, '*', 'event', 'duplicated', 'jobId', job.id)
  return job.id
end
