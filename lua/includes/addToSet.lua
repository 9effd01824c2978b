--- Adds members to a set, 7000 at a time: Lua can pass about 8000 values to a function.
local function addToSet(key, members)
  for from = 1, #members, 7000 do
    redis.call('SADD', key, unpack(members, from, math.min(from + 6999, #members)))
  end
end
