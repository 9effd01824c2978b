/**
 * Everything that speaks to Redis, as one piece. It is most of the bundle, so it is a file of its own that is read when
 * a connection is first used: reach it by `loadEngine`, never by an import.
 */
import { createExecutor } from '../../executor/executor';
import { readQueueSummaries } from '../../queue/counts';
import { discoverQueues } from '../../queue/discovery';
import { Queue } from '../../queue/queue';
import { describeServer } from '../../queue/server';
import { createScriptLibrary } from '../../scripts/library';

/** See the functions themselves. */
export const engine = {
  createExecutor,
  createScriptLibrary,
  describeServer,
  discoverQueues,
  readQueueSummaries,
  Queue,
};
