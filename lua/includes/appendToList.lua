--- Appends ids to the tail of a list, 7000 at a time: Lua can pass about 8000 values to a function.
local function appendToList(listKey, ids)
  for from = 1, #ids, 7000 do
    redis.call('RPUSH', listKey, unpack(ids, from, math.min(from + 6999, #ids)))
  end
end
