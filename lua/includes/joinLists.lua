--- Joins two lists, the first before the second, under one of their two keys. No entry of either is lost and their order
--- stays. The shorter list is moved entry by entry, 7000 at a time (Lua can pass about 8000 values to a function) and at
--- most `limit` of them; returns how many are left to move, and only at 0 all is under the key asked for.
local function joinLists(firstKey, secondKey, intoKey, limit)
  local firstLength, secondLength = redis.call('LLEN', firstKey), redis.call('LLEN', secondKey)
  local movesSecond = secondLength <= firstLength
  local left = math.min(firstLength, secondLength)
  while left > 0 and limit > 0 do
    local count = math.min(7000, left, limit)
    if movesSecond then
      redis.call('RPUSH', firstKey, unpack(redis.call('LRANGE', secondKey, 0, count - 1)))
      redis.call('LTRIM', secondKey, count, -1)
    else
      local entries = redis.call('LRANGE', firstKey, -count, -1)
      local reversed = {}
      for i = count, 1, -1 do
        reversed[#reversed + 1] = entries[i]
      end
      redis.call('LPUSH', secondKey, unpack(reversed))
      redis.call('LTRIM', firstKey, 0, -count - 1)
    end
    left, limit = left - count, limit - count
  end
  local keptKey = movesSecond and firstKey or secondKey
  if left == 0 and keptKey ~= intoKey and firstLength + secondLength > 0 then
    redis.call('RENAME', keptKey, intoKey)
  end
  return left
end
