--- The time that the first of some fields of a job's hash holds, in ms; nil where none holds a number.
local function getAge(jobKey, fields)
  for _, text in ipairs(redis.call('HMGET', jobKey, unpack(fields))) do
    if text then
      return tonumber(text)
    end
  end
  return nil
end
