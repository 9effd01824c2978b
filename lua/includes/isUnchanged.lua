--- Whether a job's hash still has exactly the fields and values of which a fingerprint was taken: the SHA-1 of all
--- values in the order of the fields' names, each after its length.
local function isUnchanged(jobKey, fields, fingerprint)
  if redis.call('HLEN', jobKey) ~= #fields then
    return false
  end
  local parts = {}
  for i, field in ipairs(fields) do
    local value = redis.call('HGET', jobKey, field)
    if not value then
      return false
    end
    parts[i] = #value .. ':' .. value
  end
  return redis.sha1hex(table.concat(parts)) == fingerprint
end
