--[[
  Fills the private set of stalled jobs of one forced recovery. It has an expiry from the start, so that it goes away
  even if the editor ends before it is dropped.

  KEYS[1] private set of stalled jobs

  ARGV[1] time to live of the set in ms
  ARGV[2] MessagePack array of the ids to recover

  Steps:
    1. Empty the set.
    2. Add the ids.
    3. Set the expiry.

  Reply: how many ids the set holds
  Codes: none
  Events: none
]]

local ids = cmsgpack.unpack(ARGV[2])
redis.call('DEL', KEYS[1])
-- 7000 at a time: Lua can pass about 8000 values to a function.
for from = 1, #ids, 7000 do
  redis.call('SADD', KEYS[1], unpack(ids, from, math.min(from + 6999, #ids)))
end
if #ids > 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return redis.call('SCARD', KEYS[1])
