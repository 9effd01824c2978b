--- Takes ids out of a sorted set, 7000 at a time: Lua can pass about 8000 values to a function.
local function takeFromSet(setKey, ids)
  for from = 1, #ids, 7000 do
    redis.call('ZREM', setKey, unpack(ids, from, math.min(from + 6999, #ids)))
  end
end
