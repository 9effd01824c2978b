--- The number a text holds, or 0 for no text, no number, and the numbers that no score can be.
local function toFiniteNumber(text)
  local number = tonumber(text)
  if not number or number ~= number or number == math.huge or number == -math.huge then
    return 0
  end
  return number
end
