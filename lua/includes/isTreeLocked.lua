--- Whether a worker holds the lock of a job or, where its children are asked for too, of one that it waits for, however
--- deep. `seen` keeps a circle of parents from going round for ever.
local function isTreeLocked(jobKey, includesChildren, seen)
  if redis.call('EXISTS', jobKey .. ':lock') == 1 then
    return true
  end
  seen[jobKey] = true
  if includesChildren then
    for _, childKey in ipairs(redis.call('SMEMBERS', jobKey .. ':dependencies')) do
      if not seen[childKey] and isTreeLocked(childKey, true, seen) then
        return true
      end
    end
  end
  return false
end
