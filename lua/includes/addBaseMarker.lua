--- Wakes a worker that sleeps on the marker, unless the queue lets none fetch.
local function addBaseMarker(markerKey, isBlocked)
  if not isBlocked then
    redis.call('ZADD', markerKey, 0, '0')
  end
end
