--- The ids of the pending iterations of all job schedulers, as the keys of a table.
local function getPendingIterations(repeatKey)
  local found = redis.call('ZRANGE', repeatKey, 0, -1, 'WITHSCORES')
  local pending = {}
  for i = 1, #found, 2 do
    pending['repeat:' .. found[i] .. ':' .. found[i + 1]] = true
  end
  return pending
end
