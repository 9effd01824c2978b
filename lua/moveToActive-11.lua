--[[
  Gives the job that runs next to a worker.

  KEYS[1] wait
  KEYS[2] active
  KEYS[3] prioritized
  KEYS[4] events
  KEYS[5] stalled, unused
  KEYS[6] limiter, the jobs counted in the rate limit's window
  KEYS[7] delayed
  KEYS[8] paused
  KEYS[9] meta
  KEYS[10] pc, the priority counter
  KEYS[11] marker

  ARGV[1] key prefix
  ARGV[2] timestamp in ms
  ARGV[3] MessagePack map about the worker: `token`, `lockDuration` in ms, `limiter` (`max`, and `duration` in ms) or
    nil, `name` or nil; with the token "0" the job gets no lock

  Steps:
    1. Move delayed jobs that are due, at most 1000, to `wait` or, while the queue is paused, to `paused`; those with a
      priority to `prioritized`. Set the marker, unless the queue is paused or at its concurrency.
    2. While the rate limit is reached, return the time until it is not.
    3. While the queue is paused or at its concurrency, return that there is nothing.
    4. Move the id that runs next from `wait`, or else from `prioritized`, to `active`.
    5. Count it against the rate limit, lock it, announce it, and note the worker and the time in its hash.
    6. Set the marker, so that another worker wakes up for the next job.
    7. Where no job is ready, return when the earliest delayed one is due; priorities count from 1 again.

  Reply: four items: the job's fields and its id, or 0 and 0; ms until the rate limit lets fetch, or 0; when the earliest
    delayed job is due, in ms, or 0
  Codes: none
  Events: active, waiting
]]
--- @include "includes/fetchNextJob"

local queue = {
  prefix = ARGV[1],
  wait = KEYS[1],
  active = KEYS[2],
  prioritized = KEYS[3],
  events = KEYS[4],
  limiter = KEYS[6],
  delayed = KEYS[7],
  paused = KEYS[8],
  meta = KEYS[9],
  counter = KEYS[10],
  marker = KEYS[11],
}

return fetchNextJob(queue, tonumber(ARGV[2]), cmsgpack.unpack(ARGV[3])) or { 0, 0, 0, 0 }
