--- Makes the parent of a new job wait for it.
local function addToParent(job)
  if job.parentDependenciesKey then
    redis.call('SADD', job.parentDependenciesKey, job.key)
  end
end
