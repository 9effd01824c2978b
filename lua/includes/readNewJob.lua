--- Unpacks the arguments that the add scripts share.
local function readNewJob(packedArguments, data, packedOptions)
  local given = cmsgpack.unpack(packedArguments)
  return {
    prefix = given[1],
    customId = given[2],
    name = given[3],
    timestamp = given[4],
    parentKey = given[5],
    parentDependenciesKey = given[6],
    parent = given[7],
    repeatJobKey = given[8],
    deduplicationKey = given[9],
    data = data,
    options = cmsgpack.unpack(packedOptions),
  }
end
