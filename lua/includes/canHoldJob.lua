--- Whether a key is a hash, or free to become one.
local function canHoldJob(jobKey)
  local kind = redis.call('TYPE', jobKey)['ok']
  return kind == 'hash' or kind == 'none'
end
