--- Counts up a field of a job's hash and returns the count. Where the field holds no whole number counting starts anew:
--- an error would stop a move half-way.
local function countUp(jobKey, field)
  local count = redis.pcall('HINCRBY', jobKey, field, 1)
  if type(count) ~= 'number' then
    count = 1
    redis.call('HSET', jobKey, field, count)
  end
  return count
end
