--[[
  Pauses a queue, or lets it go on. While it is paused, jobs that are ready to run stand in `paused` instead of `wait`.

  KEYS[1] the list to take from: wait to pause, paused to go on
  KEYS[2] the list to fill: paused to pause, wait to go on
  KEYS[3] meta
  KEYS[4] prioritized
  KEYS[5] events
  KEYS[6] delayed
  KEYS[7] marker

  ARGV[1] paused or resumed, what the queue is to be

  Steps:
    1. To pause, set the mark of a paused queue and delete the marker.
    2. Put the entries of both lists under the key to fill, those of `wait` behind those of `paused` in the order of
       service. An entry that stands there already is kept. Of two long lists at most 70000 entries are moved in one
       call; with some left, return how many, and call again.
    3. To go on, take away the mark of a paused queue. Set the marker where a job is ready to run, else to the time of
       the earliest delayed job.
    4. Announce it.

  Reply: nil, or how many entries are left to move
  Codes: none
  Events: paused, resumed
]]
--- @include "includes/addBaseMarker"
--- @include "includes/addDelayMarker"
--- @include "includes/joinLists"

local fromKey, toKey, metaKey, markerKey = KEYS[1], KEYS[2], KEYS[3], KEYS[7]
local isPause = ARGV[1] == 'paused'

-- All is read before the first write, so that a key of the wrong type stops the move before it began.
local areReady = redis.call('LLEN', fromKey) + redis.call('LLEN', toKey) + redis.call('ZCARD', KEYS[4]) > 0
redis.call('ZCARD', KEYS[6])
redis.call('HEXISTS', metaKey, 'paused')

if isPause then
  redis.call('HSET', metaKey, 'paused', 1)
  redis.call('DEL', markerKey)
  local left = joinLists(fromKey, toKey, toKey, 70000)
  if left > 0 then
    return left
  end
  redis.call('XADD', KEYS[5], '*', 'event', 'paused')
  return nil
end

local left = joinLists(toKey, fromKey, toKey, 70000)
if left > 0 then
  -- Still paused: workers do not fetch before all stand in their order.
  return left
end
redis.call('HDEL', metaKey, 'paused')
if areReady then
  addBaseMarker(markerKey, false)
else
  addDelayMarker(markerKey, KEYS[6])
end
redis.call('XADD', KEYS[5], '*', 'event', 'resumed')
return nil
