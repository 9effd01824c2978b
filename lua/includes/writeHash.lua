--- Writes a flat array of fields and values into a hash, 7000 at a time: Lua can pass about 8000 values to a function.
local function writeHash(key, flat)
  for from = 1, #flat, 7000 do
    redis.call('HSET', key, unpack(flat, from, math.min(from + 6999, #flat)))
  end
end
