--[[
  Brings a removed job back from its backup: all its keys, its state and its place there.

  KEYS[1] job hash
  KEYS[2] the key of its state
  KEYS[3] wait
  KEYS[4] paused
  KEYS[5] active
  KEYS[6] delayed
  KEYS[7] meta
  KEYS[8] marker
  KEYS[9] events

  ARGV[1] job id
  ARGV[2] its state, or empty text where it was in none
  ARGV[3] its place: of a sorted set the score, of a list how many jobs are served before it
  ARGV[4] MessagePack map: `fields`, `processed` and `failed` as flat arrays of field and value, `logs` and
    `dependencies` as arrays, `unsuccessful` as a flat array of member and score
  ARGV[5] MessagePack map of the deduplication id that it owned: `key`, its `ttl` in ms or -1, `nextKey`, and `next`, a
    flat array of what was kept there for later; empty for none
  ARGV[6] 1 if its parent waited for it, else 0

  Steps:
    1. Where the job's hash exists, return 0 and change nothing.
    2. Write all keys of the job.
    3. Put the id into its state at its place. A job of `wait` or `paused` goes to the one in use now.
    4. Take its deduplication id, unless another owns it by now.
    5. Make its parent wait for it, if that one waits for children still.
    6. Announce the job. Set the marker, where it is ready to run and the queue lets workers fetch, or where it is
       delayed.

  Reply: 1, or 2 when the parent no longer waits; 0 when a job of that id exists
  Codes: none
  Events: added, waiting, delayed
]]
--- @include "../includes/addBaseMarker"
--- @include "../includes/addDelayMarker"
--- @include "../includes/findParent"
--- @include "../includes/getTargetList"
--- @include "../includes/insertIntoList"
--- @include "../includes/writeHash"
--- @include "../includes/writeJobKeys"

local jobKey, stateKey, eventsKey = KEYS[1], KEYS[2], KEYS[9]
local jobId, state, place = ARGV[1], ARGV[2], ARGV[3]

if redis.call('EXISTS', jobKey) == 1 then
  return 0
end
-- All is read before the first write, so that a key of the wrong type stops the move before it began.
local target, isBlocked = getTargetList(KEYS[7], KEYS[5], KEYS[3], KEYS[4])
local isReady = state == 'wait' or state == 'paused'
local isList = isReady or state == 'active'
if isReady then
  stateKey = target
end
redis.call(isList and 'LLEN' or 'ZCARD', stateKey)

writeJobKeys(jobKey, cmsgpack.unpack(ARGV[4]))
if isList then
  insertIntoList(stateKey, jobId, tonumber(place))
elseif state ~= '' then
  redis.call('ZADD', stateKey, place, jobId)
end

if ARGV[5] ~= '' then
  local owned = cmsgpack.unpack(ARGV[5])
  local expiry = owned['ttl'] > 0 and { 'PX', owned['ttl'] } or {}
  if redis.call('SET', owned['key'], jobId, 'NX', unpack(expiry)) then
    writeHash(owned['nextKey'], owned['next'])
  end
end

local reply = 1
local parent = ARGV[6] == '1' and findParent(jobKey)
if parent and redis.call('ZSCORE', parent.prefix .. 'waiting-children', parent.id) then
  redis.call('SADD', parent.key .. ':dependencies', jobKey)
elseif ARGV[6] == '1' then
  reply = 2
end

local name = redis.call('HGET', jobKey, 'name')
if name then
  redis.call('XADD', eventsKey, '*', 'event', 'added', 'jobId', jobId, 'name', name)
end
if isReady or state == 'prioritized' then
  redis.call('XADD', eventsKey, '*', 'event', 'waiting', 'jobId', jobId)
  addBaseMarker(KEYS[8], isBlocked)
elseif state == 'delayed' then
  redis.call('XADD', eventsKey, '*', 'event', 'delayed', 'jobId', jobId, 'delay',
    string.format('%.0f', math.floor(tonumber(place) / 4096)))
  addDelayMarker(KEYS[8], KEYS[6])
end
return reply
