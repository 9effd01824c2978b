--[[
  Removes a queue with all its jobs, so many a call. The queue must be paused, so that no worker takes what is about to
  go.

  KEYS[1] meta
  KEYS[2] key prefix

  ARGV[1] how many jobs at most in this call
  ARGV[2] `force` to remove also jobs that workers hold, else empty text

  Steps:
    1. Where the queue is not paused, return -1.
    2. Where jobs are active and it is not forced, return -2. Else delete active jobs with their locks.
    3. Delete delayed jobs, schedulers, completed jobs, the jobs of `paused`, of `wait`, prioritized jobs, failed jobs
       and those that wait for children, in this order, until so many are gone as asked for; then return 1. Parents that
       waited for one of them alone go as well, and so do the deduplication ids that they own.
    4. Delete the other keys of the queue.

  Reply: 0 when nothing is left, 1 to call again
  Codes: -1, -2
  Events: none
]]
--- @include "includes/obliterateSchedulers"
--- @include "includes/obliterateState"

local metaKey, prefix = KEYS[1], KEYS[2]
local budget = tonumber(ARGV[1])

if redis.call('HEXISTS', metaKey, 'paused') == 0 then
  return -1
end
local activeIds = redis.call('LRANGE', prefix .. 'active', 0, budget - 1)
if #activeIds > 0 and ARGV[2] == '' then
  return -2
end
for _, jobId in ipairs(activeIds) do
  redis.call('DEL', prefix .. jobId .. ':lock')
end

for _, part in ipairs({
  'active', 'delayed', 'repeat', 'completed', 'paused', 'wait', 'prioritized', 'failed', 'waiting-children',
}) do
  if part == 'repeat' then
    budget = obliterateSchedulers(prefix .. part, budget)
  else
    local isList = part == 'active' or part == 'paused' or part == 'wait'
    budget = obliterateState(prefix .. part, isList, prefix, budget)
  end
  if budget <= 0 then
    return 1
  end
end

redis.call('DEL', prefix .. 'events', prefix .. 'delay', prefix .. 'stalled-check', prefix .. 'stalled', prefix .. 'id',
  prefix .. 'pc', prefix .. 'marker', prefix .. 'limiter', prefix .. 'metrics:completed',
  prefix .. 'metrics:completed:data', prefix .. 'metrics:failed', prefix .. 'metrics:failed:data', metaKey)
return 0
