--- @include "appendField"

--- Writes the hash of a new job and announces it. Numbers go to Redis as numbers, which it writes with 17 digits.
local function storeJob(job, eventsKey)
  local options = job.options
  local fields = {
    'name', job.name,
    'data', job.data,
    'opts', cjson.encode(options),
    'timestamp', job.timestamp,
    'delay', options['delay'] or 0,
    'priority', options['priority'] or 0,
  }
  if job.parentKey then
    appendField(fields, 'parentKey', job.parentKey)
    appendField(fields, 'parent', cjson.encode(job.parent))
  end
  if job.repeatJobKey then
    appendField(fields, 'rjk', job.repeatJobKey)
  end
  if options['de'] and options['de']['id'] then
    appendField(fields, 'deid', options['de']['id'])
  end
  redis.call('HMSET', job.key, unpack(fields))
  redis.call('XADD', eventsKey, '*', 'event', 'added', 'jobId', job.id, 'name', job.name)
end
