--- The full keys of all children of a job: settled, failed and ignored, failed, and outstanding.
local function listChildren(jobKey)
  local children = {}
  for _, found in ipairs({
    redis.call('HKEYS', jobKey .. ':processed'),
    redis.call('HKEYS', jobKey .. ':failed'),
    redis.call('ZRANGE', jobKey .. ':unsuccessful', 0, -1),
    redis.call('SMEMBERS', jobKey .. ':dependencies'),
  }) do
    for _, childKey in ipairs(found) do
      children[#children + 1] = childKey
    end
  end
  return children
end
