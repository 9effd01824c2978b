--- The cap of the event stream, for MAXLEN and XTRIM. A queue without one gets the protocol's default written down.
--- Text that is no whole number is passed over rather than given to XADD, which would break a move half-way.
local function getMaxEvents(metaKey)
  local cap = redis.call('HGET', metaKey, 'opts.maxLenEvents')
  if not cap then
    redis.call('HSET', metaKey, 'opts.maxLenEvents', 10000)
    return 10000
  end
  if #cap > 15 or not string.find(cap, '^%d+$') then
    return 10000
  end
  return cap
end
