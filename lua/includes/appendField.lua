--- Adds a name and its value to a flat list of fields.
local function appendField(fields, name, value)
  fields[#fields + 1] = name
  fields[#fields + 1] = value
end
