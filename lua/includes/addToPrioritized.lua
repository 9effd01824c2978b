--- @include "addBaseMarker"

--- Puts a job behind all others of its priority. The counter wraps at 2^32 so that it never reaches the next priority.
local function addToPrioritized(prioritizedKey, counterKey, markerKey, isBlocked, jobId, priority)
  local counter = redis.call('INCR', counterKey)
  redis.call('ZADD', prioritizedKey, priority * 4294967296 + counter % 4294967296, jobId)
  addBaseMarker(markerKey, isBlocked)
end
