--- Adds every active job to the set of marked ones, 7000 at a time: Lua can pass about 8000 values to a function.
local function markActiveJobs(activeKey, stalledKey)
  local from = 0
  repeat
    local ids = redis.call('LRANGE', activeKey, from, from + 6999)
    if #ids > 0 then
      redis.call('SADD', stalledKey, unpack(ids))
    end
    from = from + 7000
  until #ids < 7000
end
