--- Writes fields that a worker sends along with a move: a MessagePack array of names and values, or empty text.
local function updateFields(jobKey, packedFields)
  if packedFields ~= '' then
    local fields = cmsgpack.unpack(packedFields)
    if #fields > 0 then
      redis.call('HMSET', jobKey, unpack(fields))
    end
  end
end
