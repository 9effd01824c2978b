--- @include "failParent"
--- @include "releaseParentIfSettled"
--- @include "releaseParentIfWaiting"

--- Tells a parent of a child's failure as the child's policy says. Without a policy the parent goes on waiting, and a
--- child that the parent does not wait for changes nothing.
local function noteChildFailed(parent, childKey, reason, timestamp)
  local policy = parent.policy
  local hasPolicy = policy['fpof'] or policy['cpof'] or policy['idof'] or policy['rdof']
  if not hasPolicy or redis.call('SREM', parent.key .. ':dependencies', childKey) == 0 then
    return
  end
  if policy['fpof'] then
    failParent(parent, childKey, timestamp)
  elseif policy['cpof'] then
    redis.call('HSET', parent.key .. ':failed', childKey, reason)
    releaseParentIfWaiting(parent.queueKey, parent.key, parent.id, timestamp)
  else
    releaseParentIfSettled(parent.queueKey, parent.key, parent.id, timestamp)
    if policy['idof'] then
      redis.call('HSET', parent.key .. ':failed', childKey, reason)
    end
  end
end
