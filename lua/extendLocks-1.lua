--[[
  Gives the locks of several jobs their full time again, each for the worker that holds it.

  KEYS[1] stalled, the ids marked by the last pass

  ARGV[1] key prefix
  ARGV[2] MessagePack array of the workers' tokens
  ARGV[3] MessagePack array of the job ids, in the order of the tokens
  ARGV[4] duration of the locks in ms

  Steps:
    1. Leave each lock that is gone or another worker's, and remember its job.
    2. Set each of the others anew, and take its job's mark off.

  Reply: the ids of the jobs whose locks were not renewed, as an array
  Codes: none
  Events: none
]]
--- @include "includes/renewLock"

local tokens, jobIds = cmsgpack.unpack(ARGV[2]), cmsgpack.unpack(ARGV[3])

local lost = {}
for i, jobId in ipairs(jobIds) do
  if not renewLock(ARGV[1] .. jobId .. ':lock', KEYS[1], tokens[i], ARGV[4], jobId) then
    lost[#lost + 1] = jobId
  end
end
return lost
