--- @include "appendToList"
--- @include "discardJob"

--- Deletes the jobs of a list, all but the protected, which keep their order.
local function drainList(listKey, prefix, protected)
  local kept = {}
  local ids = redis.call('LRANGE', listKey, 0, 6999)
  while #ids > 0 do
    for _, jobId in ipairs(ids) do
      if protected[jobId] then
        kept[#kept + 1] = jobId
      else
        discardJob(prefix, jobId)
      end
    end
    redis.call('LTRIM', listKey, #ids, -1)
    ids = redis.call('LRANGE', listKey, 0, 6999)
  end
  appendToList(listKey, kept)
end
