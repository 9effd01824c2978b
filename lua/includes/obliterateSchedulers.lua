--- @include "takeFromSet"

--- Deletes the first job schedulers, at most `budget`, and returns how many of the budget are left.
local function obliterateSchedulers(repeatKey, budget)
  local ids = redis.call('ZRANGE', repeatKey, 0, budget - 1)
  for _, schedulerId in ipairs(ids) do
    redis.call('DEL', repeatKey .. ':' .. schedulerId)
  end
  takeFromSet(repeatKey, ids)
  return budget - #ids
end
