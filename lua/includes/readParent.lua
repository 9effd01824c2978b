--- @include "canHoldJob"
--- @include "splitJobKey"

--- What a job's hash says of its parent, which need not exist any more: its key, its queue's key and key prefix, its
--- id, and the policy for a failure. Where only the key is known the rest is cut from it, and there is no policy. Returns
--- nil for no parent, and for a key that is no hash: it would stop the move half-way.
local function readParent(parentKey, json)
  local prefix, id = splitJobKey(parentKey or '')
  if not prefix or not canHoldJob(parentKey) then
    return nil
  end
  local isJson, stored = pcall(cjson.decode, json or '')
  if not isJson or type(stored) ~= 'table' then
    stored = {}
  end
  if type(stored['queueKey']) == 'string' then
    prefix = stored['queueKey'] .. ':'
  end
  return {
    key = parentKey,
    queueKey = string.sub(prefix, 1, -2),
    prefix = prefix,
    id = stored['id'] or id,
    policy = stored,
  }
end
