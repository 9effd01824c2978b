--- @include "discardJob"
--- @include "takeFromSet"

--- Deletes the first jobs of a state, at most `budget`, and returns how many of the budget are left.
local function obliterateState(stateKey, isList, prefix, budget)
  local ids = redis.call(isList and 'LRANGE' or 'ZRANGE', stateKey, 0, budget - 1)
  for _, jobId in ipairs(ids) do
    discardJob(prefix, jobId)
  end
  if isList then
    redis.call('LTRIM', stateKey, #ids, -1)
  else
    takeFromSet(stateKey, ids)
  end
  return budget - #ids
end
