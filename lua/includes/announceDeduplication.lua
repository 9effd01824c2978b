--- Announces that one of two jobs with the same deduplication id stays out of the queue. The first event is the older
--- name of the second; readers of either must see it.
local function announceDeduplication(eventsKey, maxEvents, keptId, deduplicationId, droppedId)
  redis.call('XADD', eventsKey, 'MAXLEN', '~', maxEvents, '*', 'event', 'debounced', 'jobId', keptId,
    'debounceId', deduplicationId)
  redis.call('XADD', eventsKey, 'MAXLEN', '~', maxEvents, '*', 'event', 'deduplicated', 'jobId', keptId,
    'deduplicationId', deduplicationId, 'deduplicatedJobId', droppedId)
end
