--- The key prefix of a job's queue, and the job's id, from the job's full key. An id without a colon is taken for
--- granted; where it has one, only its parent reference tells.
local function splitJobKey(jobKey)
  return string.match(jobKey, '^(.*:)([^:]*)$')
end
