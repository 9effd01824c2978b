--[[
  Drops what one forced recovery needed.

  KEYS[1] private set of stalled jobs
  KEYS[2] private throttle

  Steps:
    1. Delete both keys.

  Reply: how many of the keys there were
  Codes: none
  Events: none
]]

return redis.call('DEL', KEYS[1], KEYS[2])
