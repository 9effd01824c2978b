--- Puts an id into a list so that so many others are served before it; behind all where there are fewer. Near the end
--- that is served, that end is written anew, which costs the same however long the list is.
local function insertIntoList(listKey, jobId, servedBefore)
  if servedBefore == 0 then
    redis.call('RPUSH', listKey, jobId)
  elseif servedBefore >= redis.call('LLEN', listKey) then
    redis.call('LPUSH', listKey, jobId)
  elseif servedBefore < 7000 then
    local served = redis.call('LRANGE', listKey, -servedBefore, -1)
    redis.call('LTRIM', listKey, 0, -servedBefore - 1)
    redis.call('RPUSH', listKey, jobId, unpack(served))
  else
    redis.call('LINSERT', listKey, 'BEFORE', redis.call('LINDEX', listKey, -servedBefore), jobId)
  end
end
