--- Lets go of a job's deduplication id, if it is the job that owns it. The id of another owner is none of its business.
local function freeDeduplication(prefix, jobId)
  local deduplicationId = redis.call('HGET', prefix .. jobId, 'deid')
  -- A key that holds no text is owned by nobody.
  if deduplicationId and redis.pcall('GET', prefix .. 'de:' .. deduplicationId) == jobId then
    redis.call('DEL', prefix .. 'de:' .. deduplicationId, prefix .. 'dn:' .. deduplicationId)
  end
end
