/** How each script of the protocol is called in the benchmark, and on what. */
import type { Redis } from 'ioredis';
import type { Keys } from '../../src/keys/keys';
import type { JobState } from '../../src/keys/states';
import { addCall } from '../../src/queue/addJob';
import type { ScriptId } from '../../src/scripts/registry.generated';
import * as people from '../conformance/support/managementCalls';
import { type Caller, TOKEN } from '../conformance/support/scenario';
import * as workers from '../conformance/support/workerCalls';

export interface ScriptCase {
  readonly script: ScriptId;
  /** Where the jobs `1` to the number of calls are; none where jobs are added. */
  readonly state?: JobState;
  /** Where the further jobs of a large queue are, if not there too. */
  readonly crowd?: JobState;
  /** What else the calls need. */
  readonly prepare?: (admin: Redis, keys: Keys, ids: readonly string[]) => Promise<unknown>;
  /** The call for one job; `index` counts from 0. */
  readonly call: (side: Caller, id: string, index: number) => Promise<unknown>;
  /** So many jobs are one call's; the script does something for each. Default 1. */
  readonly jobsPerCall?: number;
  /** The script looks at all jobs of the state, so the queue holds no others and is filled anew for each call. */
  readonly takesAll?: boolean;
}

const lockAll = (admin: Redis, keys: Keys, ids: readonly string[]) => {
  const pipeline = admin.pipeline();
  for (const id of ids) pipeline.set(keys.lock(id), TOKEN, 'PX', 600_000);
  return pipeline.exec();
};

const add = (
  script: ScriptId,
  crowd: JobState,
  job: { readonly delayMs?: number; readonly priority?: number },
): ScriptCase => ({
  script,
  crowd,
  call: (side) => {
    const call = addCall(side.keys, { name: 'send', data: '{"n":1}', ...job }, workers.NOW);
    return side.call(script, call.keys, call.args);
  },
});

const onActive = (script: ScriptId, call: ScriptCase['call']): ScriptCase => ({
  script,
  state: 'active',
  prepare: lockAll,
  call,
});

const MANY = 100;

export const SCRIPT_CASES: readonly ScriptCase[] = [
  add('addStandardJob-9', 'wait', {}),
  add('addDelayedJob-6', 'delayed', { delayMs: 1000 }),
  add('addPrioritizedJob-9', 'prioritized', { priority: 3 }),
  { script: 'moveToActive-11', state: 'wait', call: (side) => workers.fetchJob(side) },
  onActive('moveToFinished-14', (side, id) => workers.finishJob(side, id)),
  onActive('moveToDelayed-8', (side, id) => workers.delayActiveJob(side, id)),
  onActive('retryJob-11', (side, id) => workers.retryActiveJob(side, id)),
  onActive('moveJobFromActiveToWait-9', (side, id) => workers.giveBackJob(side, id)),
  onActive('extendLock-2', (side, id) => workers.extendLock(side, id)),
  onActive('extendLocks-1', (side, id) => workers.extendLocks(side, [[id, TOKEN]])),
  onActive('releaseLock-1', (side, id) => workers.releaseLock(side, id)),
  {
    script: 'moveStalledJobsToWait-8',
    state: 'active',
    prepare: (admin, keys, ids) => admin.sadd(keys.stalled(), ...ids),
    call: (side) => workers.recoverJobs(side, 1),
    jobsPerCall: MANY,
    takesAll: true,
  },
  { script: 'reprocessJob-8', state: 'failed', call: (side, id) => workers.reprocessJob(side, id, 'failed') },
  { script: 'promote-9', state: 'delayed', call: (side, id) => workers.promoteJob(side, id) },
  { script: 'changeDelay-4', state: 'delayed', call: (side, id) => people.changeDelay(side, id, 5000) },
  {
    script: 'changePriority-7',
    state: 'prioritized',
    call: (side, id) => people.changePriority(side, id, 3),
  },
  { script: 'removeJob-2', state: 'completed', call: (side, id) => people.removeJob(side, id) },
  { script: 'updateData-1', state: 'wait', call: (side, id) => people.updateData(side, id, '{"n":2}') },
  { script: 'updateProgress-3', state: 'active', call: (side, id) => people.updateProgress(side, id, '50') },
  { script: 'addLog-2', state: 'active', call: (side, id) => people.addLog(side, id, 'a row', 10) },
  { script: 'isFinished-3', state: 'completed', call: (side, id) => people.isFinished(side, id) },
  {
    script: 'saveStacktrace-1',
    state: 'active',
    call: (side, id) => people.saveStacktrace(side, id, '["Error: boom"]', 'boom'),
  },
  {
    script: 'pause-7',
    state: 'wait',
    call: (side, _, index) => (index % 2 === 0 ? people.pause(side) : people.resume(side)),
  },
  {
    script: 'moveJobsToWait-8',
    state: 'failed',
    call: (side) => people.moveJobsToWait(side, 'failed', { count: MANY }),
    jobsPerCall: MANY,
  },
  {
    script: 'cleanJobsInSet-3',
    state: 'completed',
    call: (side) => people.clean(side, 'completed', { limit: MANY }),
    jobsPerCall: MANY,
  },
  {
    script: 'drain-5',
    state: 'wait',
    call: (side) => people.drain(side),
    jobsPerCall: MANY,
    takesAll: true,
  },
  {
    script: 'obliterate-2',
    state: 'paused',
    prepare: (admin, keys) => admin.hset(keys.meta(), 'paused', 1),
    call: (side) => people.obliterate(side),
    jobsPerCall: MANY,
    takesAll: true,
  },
];
