--- Ends a worker's possession of a job. Returns 0, or the code that says why the job is not the worker's. The token "0"
--- stands for no worker: with it neither lock nor mark is looked at, and a lock of someone else's stays.
local function unlock(jobKey, stalledKey, token, jobId)
  if token == '0' then
    return 0
  end
  local lockKey = jobKey .. ':lock'
  local owner = redis.call('GET', lockKey)
  if owner == token then
    redis.call('DEL', lockKey)
    redis.call('SREM', stalledKey, jobId)
    return 0
  elseif owner then
    return -6
  end
  return -2
end
