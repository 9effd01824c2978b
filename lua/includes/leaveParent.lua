--- Makes a parent no longer wait for a child. Returns whether the parent, which waited for this one alone, is out of
--- `waiting-children` now and must be put elsewhere.
local function leaveParent(childKey, parent)
  local dependenciesKey = parent.key .. ':dependencies'
  return redis.call('SREM', dependenciesKey, childKey) == 1
    and redis.call('SCARD', dependenciesKey) == 0
    and redis.call('ZREM', parent.prefix .. 'waiting-children', parent.id) == 1
end
