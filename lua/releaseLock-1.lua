--[[
  Drops the lock of a job, for the worker that holds it.

  KEYS[1] lock of the job

  ARGV[1] token of the worker
  ARGV[2] duration of the lock in ms, unused

  Steps:
    1. Where the lock is gone or another worker's, return 0.
    2. Delete the lock.

  Reply: 1 when the lock was dropped, else 0
  Codes: none
  Events: none
]]

if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
