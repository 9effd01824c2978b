--- Tells sleeping workers when the earliest delayed job is due. The division keeps its fraction: the protocol stores
--- it so, and readers round down.
local function addDelayMarker(markerKey, delayedKey)
  local first = redis.call('ZRANGE', delayedKey, 0, 0, 'WITHSCORES')
  if first[2] then
    redis.call('ZADD', markerKey, tonumber(first[2]) / 4096, '1')
  end
end
