--[[
  Adds a job without delay or priority, ready to run.

  KEYS[1] wait
  KEYS[2] paused
  KEYS[3] meta
  KEYS[4] id
  KEYS[5] completed
  KEYS[6] delayed
  KEYS[7] active
  KEYS[8] events
  KEYS[9] marker

  ARGV[1] MessagePack array: key prefix, custom id or empty text, name, timestamp in ms, parent key or nil, parent's
    dependencies key or nil, parent map or nil, repeat job key or nil, deduplication key or nil
  ARGV[2] data as JSON text, stored byte for byte
  ARGV[3] MessagePack map of options with their short names

  Steps:
    1. With a parent whose hash is missing, return -5.
    2. Count up `id`, and read the cap of the event stream.
    3. Take the custom id or the counter. Where a job of that id exists, give it the parent or return -7, announce the
       duplicate and return its id.
    4. Settle deduplication; where another job owns the id, return the owner's id.
    5. Store the job's hash and announce it.
    6. Push the id to `wait`, or to `paused` while the queue is paused; with the option `lifo` to the end served next.
    7. Set the marker, unless the queue is paused or at its concurrency.
    8. Make the parent wait for the job.

  Reply: the job's id as text
  Codes: -5, -7
  Events: added, waiting, duplicated, debounced, deduplicated, removed, delayed
]]
--- @include "includes/addToList"
--- @include "includes/addToParent"
--- @include "includes/admitJob"
--- @include "includes/getTargetList"
--- @include "includes/readNewJob"
--- @include "includes/storeJob"

local eventsKey = KEYS[8]
local job = readNewJob(ARGV[1], ARGV[2], ARGV[3])

local answer = admitJob(job, KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], eventsKey)
if answer then
  return answer
end

storeJob(job, eventsKey)
local target, isBlocked = getTargetList(KEYS[3], KEYS[7], KEYS[1], KEYS[2])
addToList(target, KEYS[9], isBlocked, job.id, job.options['lifo'])
redis.call('XADD', eventsKey, 'MAXLEN', '~', job.maxEvents, '*', 'event', 'waiting', 'jobId', job.id)
addToParent(job)
return job.id
