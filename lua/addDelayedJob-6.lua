--[[
  Adds a job that is to run later.

  KEYS[1] marker
  KEYS[2] meta
  KEYS[3] id
  KEYS[4] delayed
  KEYS[5] completed
  KEYS[6] events

  ARGV[1] MessagePack array: key prefix, custom id or empty text, name, timestamp in ms, parent key or nil, parent's
    dependencies key or nil, parent map or nil, repeat job key or nil, deduplication key or nil
  ARGV[2] data as JSON text, stored byte for byte
  ARGV[3] MessagePack map of options with their short names; `delay` is in ms

  Steps:
    1. With a parent whose hash is missing, return -5.
    2. Count up `id`, and read the cap of the event stream.
    3. Take the custom id or the counter. Where a job of that id exists, give it the parent or return -7, announce the
       duplicate and return its id.
    4. Settle deduplication; where another job owns the id, return the owner's id.
    5. Store the job's hash and announce it.
    6. Add the id to `delayed` at the next free place of the millisecond it is due.
    7. Set the marker to the time of the earliest delayed job, also while the queue is paused.
    8. Make the parent wait for the job.

  Reply: the job's id as text
  Codes: -5, -7
  Events: added, delayed, duplicated, debounced, deduplicated, removed, waiting
]]
--- @include "includes/addDelayMarker"
--- @include "includes/addToParent"
--- @include "includes/admitJob"
--- @include "includes/getDelayedScore"
--- @include "includes/readNewJob"
--- @include "includes/storeJob"

local delayedKey, eventsKey = KEYS[4], KEYS[6]
local job = readNewJob(ARGV[1], ARGV[2], ARGV[3])

-- The list of active jobs is no key of this script; only keeping a last job for later looks at it.
local answer = admitJob(job, KEYS[2], KEYS[3], KEYS[5], delayedKey, job.prefix .. 'active', eventsKey)
if answer then
  return answer
end

storeJob(job, eventsKey)
local score, due = getDelayedScore(delayedKey, job.timestamp, job.options['delay'] or 0)
redis.call('ZADD', delayedKey, score, job.id)
redis.call('XADD', eventsKey, 'MAXLEN', '~', job.maxEvents, '*', 'event', 'delayed', 'jobId', job.id, 'delay', due)
addDelayMarker(KEYS[1], delayedKey)
addToParent(job)
return job.id
