--- @include "addToSet"
--- @include "appendToList"
--- @include "removeJobKeys"
--- @include "writeHash"

--- Writes all keys of a job, in place of what may be left of an older one of its id.
local function writeJobKeys(jobKey, content)
  removeJobKeys(jobKey)
  writeHash(jobKey, content['fields'])
  appendToList(jobKey .. ':logs', content['logs'])
  addToSet(jobKey .. ':dependencies', content['dependencies'])
  writeHash(jobKey .. ':processed', content['processed'])
  writeHash(jobKey .. ':failed', content['failed'])
  local unsuccessful = content['unsuccessful']
  for i = 1, #unsuccessful, 2 do
    redis.call('ZADD', jobKey .. ':unsuccessful', unsuccessful[i + 1], unsuccessful[i])
  end
end
