--- Moves the id that runs next from `wait` to `active`; false when there is none. Markers that an older release kept in
--- the list are no jobs and are dropped.
local function takeFromWait(waitKey, activeKey)
  local jobId = redis.call('RPOPLPUSH', waitKey, activeKey)
  while jobId and string.sub(jobId, 1, 2) == '0:' do
    redis.call('LREM', activeKey, 1, jobId)
    jobId = redis.call('RPOPLPUSH', waitKey, activeKey)
  end
  return jobId
end
