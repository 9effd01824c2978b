--- Takes a job out of the state it is in, and returns the state's name; `unknown` where it is in none. Lists are searched
--- from the end that is served next.
local function takeFromState(prefix, jobId)
  for _, state in ipairs({ 'completed', 'waiting-children', 'delayed', 'failed', 'prioritized' }) do
    if redis.call('ZREM', prefix .. state, jobId) == 1 then
      return state
    end
  end
  for _, state in ipairs({ 'wait', 'paused', 'active' }) do
    if redis.call('LREM', prefix .. state, -1, jobId) == 1 then
      return state
    end
  end
  return 'unknown'
end
