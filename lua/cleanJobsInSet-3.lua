--[[
  Removes the jobs of one state that are old enough. Jobs that a worker holds, and the pending iterations of job
  schedulers, stay.

  KEYS[1] the state's key
  KEYS[2] events
  KEYS[3] repeat

  ARGV[1] key prefix
  ARGV[2] the latest time in ms that is old enough
  ARGV[3] how many jobs to look at, the oldest first; 0 for all
  ARGV[4] the state

  Steps:
    1. Look at the oldest jobs. In a finished state, and in `waiting-children`, the score tells the age. Elsewhere it is
       the first that the hash has: of a list when it finished, started or was added, of `delayed` when it started or
       was added, of `prioritized` when it was added. A job without any counts as old.
    2. Delete the old ones, with the parents that waited for one of them alone, and let go of the deduplication ids
       that they own.
    3. Take their ids out of the state.
    4. Announce how many went, also none.

  Reply: the ids of the removed jobs
  Codes: none
  Events: cleaned
]]
--- @include "includes/appendToList"
--- @include "includes/canHoldJob"
--- @include "includes/discardJob"
--- @include "includes/getAge"
--- @include "includes/isPendingIteration"
--- @include "includes/takeFromSet"

local stateKey, repeatKey, prefix = KEYS[1], KEYS[3], ARGV[1]
local latest, limit, state = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local ageFields = ({
  wait = { 'finishedOn', 'processedOn', 'timestamp' },
  paused = { 'finishedOn', 'processedOn', 'timestamp' },
  active = { 'finishedOn', 'processedOn', 'timestamp' },
  delayed = { 'processedOn', 'timestamp' },
  prioritized = { 'timestamp' },
})[state]
local isList = state == 'wait' or state == 'paused' or state == 'active'

local seen
if isList then
  seen = redis.call('LRANGE', stateKey, limit > 0 and -limit or 0, -1)
elseif limit > 0 then
  seen = redis.call('ZRANGEBYSCORE', stateKey, 0, ageFields and '+inf' or ARGV[2], 'LIMIT', 0, limit)
else
  seen = redis.call('ZRANGEBYSCORE', stateKey, 0, ageFields and '+inf' or ARGV[2])
end

-- All is read before the first write. An id whose key is no hash is no job to judge, and stays.
local removed, kept = {}, {}
for _, jobId in ipairs(seen) do
  local jobKey = prefix .. jobId
  local isOld = canHoldJob(jobKey)
  if isOld and ageFields then
    local age = getAge(jobKey, ageFields)
    isOld = (not age or age <= latest) and not isPendingIteration(jobKey, jobId, repeatKey)
      and not (state == 'active' and redis.call('EXISTS', jobKey .. ':lock') == 1)
  end
  if isOld then
    removed[#removed + 1] = jobId
  else
    kept[#kept + 1] = jobId
  end
end

for _, jobId in ipairs(removed) do
  discardJob(prefix, jobId)
end
if isList and #removed > 0 then
  -- The end that was looked at is written anew, which costs as much as looking at it did, however long the list is.
  if #seen == redis.call('LLEN', stateKey) then
    redis.call('DEL', stateKey)
  else
    redis.call('LTRIM', stateKey, 0, -#seen - 1)
  end
  appendToList(stateKey, kept)
elseif not isList then
  takeFromSet(stateKey, removed)
end
redis.call('XADD', KEYS[2], '*', 'event', 'cleaned', 'count', #removed)
return removed
