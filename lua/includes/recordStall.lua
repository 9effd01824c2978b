--- @include "countUp"

--- Counts a stall of a job and, past the limit, notes the failure with which the next worker fails it. Iterations of
--- a scheduler are exempt. Nothing the hash may hold stops the pass: the id is out of `active` and must reach a list.
local function recordStall(jobKey, maxStalls)
  if countUp(jobKey, 'stc') <= maxStalls then
    return
  end
  local text = redis.call('HGET', jobKey, 'opts')
  local isJson, options = pcall(cjson.decode, text or '{}')
  local isExempt = isJson and type(options) == 'table' and options['repeat'] ~= nil
  if not isExempt then
    redis.call('HSET', jobKey, 'defa', 'job stalled more than allowable limit')
  end
end
