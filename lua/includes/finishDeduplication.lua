--- @include "addKeptJob"

--- Lets a finished job go as the owner of its deduplication id; ownership with a time to live runs on until then. A job
--- that was kept for this moment is added.
local function finishDeduplication(queue, deduplicationId, jobId, timestamp, maxEvents)
  local ownerKey = queue.prefix .. 'de:' .. deduplicationId
  local ttl = redis.call('PTTL', ownerKey)
  if ttl == 0 or (ttl == -1 and redis.call('GET', ownerKey) == jobId) then
    redis.call('DEL', ownerKey)
  end
  addKeptJob(queue, deduplicationId, timestamp, maxEvents)
end
