--- @include "splitJobKey"

--- The parent of a job, as a table of its key, the key prefix of its queue and its id; nil without a parent that exists.
--- The stored reference tells queue and id apart also where the id has colons, as that of a scheduler's iteration does.
local function findParent(jobKey)
  local stored = redis.call('HMGET', jobKey, 'parentKey', 'parent')
  local parentKey = stored[1]
  if not parentKey or redis.call('EXISTS', parentKey) == 0 then
    return nil
  end
  local isJson, reference = pcall(cjson.decode, stored[2] or '')
  if isJson and type(reference) == 'table' and type(reference['queueKey']) == 'string' then
    local prefix, id = reference['queueKey'] .. ':', tostring(reference['id'])
    if prefix .. id == parentKey then
      return { key = parentKey, prefix = prefix, id = id }
    end
  end
  local prefix, id = splitJobKey(parentKey)
  return prefix and { key = parentKey, prefix = prefix, id = id }
end
