--- Deletes a job's hash and what hangs below it. Not its lock: that belongs to a worker, which may still hold it.
--- Returns how many keys there were.
local function removeJobKeys(jobKey)
  return redis.call('DEL', jobKey, jobKey .. ':logs', jobKey .. ':dependencies', jobKey .. ':processed',
    jobKey .. ':failed', jobKey .. ':unsuccessful')
end
