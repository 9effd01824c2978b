--- @include "discardJob"
--- @include "takeFromSet"

--- Deletes the jobs of a sorted set, all but the protected.
local function drainSet(setKey, prefix, protected)
  local removed = {}
  for _, jobId in ipairs(redis.call('ZRANGE', setKey, 0, -1)) do
    if not protected[jobId] then
      discardJob(prefix, jobId)
      removed[#removed + 1] = jobId
    end
  end
  takeFromSet(setKey, removed)
end
