--- @include "addBaseMarker"

--- Puts a job without a priority into its target list. `fromTail` puts it where workers take from, so it runs next.
local function addToList(listKey, markerKey, isBlocked, jobId, fromTail)
  if fromTail then
    redis.call('RPUSH', listKey, jobId)
  else
    redis.call('LPUSH', listKey, jobId)
  end
  addBaseMarker(markerKey, isBlocked)
end
