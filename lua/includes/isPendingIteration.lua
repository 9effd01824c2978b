--- Whether a job is the next iteration of a job scheduler that still exists. Without it the scheduler would stand still.
local function isPendingIteration(jobKey, jobId, repeatKey)
  local schedulerId = redis.call('HGET', jobKey, 'rjk')
  local nextTime = schedulerId and redis.call('ZSCORE', repeatKey, schedulerId)
  return nextTime and jobId == 'repeat:' .. schedulerId .. ':' .. nextTime or false
end
