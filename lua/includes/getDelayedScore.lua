--- The score of a new entry of `delayed`, and the time it is due in ms. Each millisecond has 4096 places, so jobs due
--- at the same time keep their order; when the last place is taken, further jobs share it.
local function getDelayedScore(delayedKey, timestamp, delay)
  local due = timestamp
  if delay > 0 then
    due = timestamp + delay
  end
  local firstPlace = due * 4096
  local lastPlace = firstPlace + 4095
  -- Near 2^53 the places are written out in full: Lua's own conversion to text keeps 14 digits only.
  local highest = redis.call('ZREVRANGEBYSCORE', delayedKey, string.format('%.17g', lastPlace),
    string.format('%.17g', firstPlace), 'WITHSCORES', 'LIMIT', 0, 1)
  if highest[2] then
    return math.min(tonumber(highest[2]) + 1, lastPlace), due
  end
  return firstPlace, due
end
