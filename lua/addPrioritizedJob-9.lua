--[[
  Adds a job with a priority, ready to run after those without one.

  KEYS[1] marker
  KEYS[2] meta
  KEYS[3] id
  KEYS[4] prioritized
  KEYS[5] delayed
  KEYS[6] completed
  KEYS[7] active
  KEYS[8] events
  KEYS[9] pc, the priority counter

  ARGV[1] MessagePack array: key prefix, custom id or empty text, name, timestamp in ms, parent key or nil, parent's
    dependencies key or nil, parent map or nil, repeat job key or nil, deduplication key or nil
  ARGV[2] data as JSON text, stored byte for byte
  ARGV[3] MessagePack map of options with their short names; the lowest `priority` is served first

  Steps:
    1. With a parent whose hash is missing, return -5.
    2. Count up `id`, and read the cap of the event stream.
    3. Take the custom id or the counter. Where a job of that id exists, give it the parent or return -7, announce the
       duplicate and return its id.
    4. Settle deduplication; where another job owns the id, return the owner's id.
    5. Store the job's hash and announce it.
    6. Add the id to `prioritized`, behind all of its priority; also while the queue is paused.
    7. Set the marker, unless the queue is paused or at its concurrency.
    8. Make the parent wait for the job.

  Reply: the job's id as text
  Codes: -5, -7
  Events: added, waiting, duplicated, debounced, deduplicated, removed, delayed
]]
--- @include "includes/addToParent"
--- @include "includes/addToPrioritized"
--- @include "includes/admitJob"
--- @include "includes/getTargetList"
--- @include "includes/readNewJob"
--- @include "includes/storeJob"

local metaKey, activeKey, eventsKey = KEYS[2], KEYS[7], KEYS[8]
local job = readNewJob(ARGV[1], ARGV[2], ARGV[3])

local answer = admitJob(job, metaKey, KEYS[3], KEYS[6], KEYS[5], activeKey, eventsKey)
if answer then
  return answer
end

storeJob(job, eventsKey)
local _, isBlocked = getTargetList(metaKey, activeKey)
addToPrioritized(KEYS[4], KEYS[9], KEYS[1], isBlocked, job.id, job.options['priority'] or 0)
redis.call('XADD', eventsKey, 'MAXLEN', '~', job.maxEvents, '*', 'event', 'waiting', 'jobId', job.id)
addToParent(job)
return job.id
