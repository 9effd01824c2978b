/** Changes of one job, one script each. All reject like `Queue`'s other moves. */
import type { Executor, ScriptCall } from '../executor/types';
import type { Keys } from '../keys/keys';
import type { JobState } from '../keys/states';
import { requireDelay, requireJson, requirePriority } from './addJob';
import { runOrRefuse } from './runOrRefuse';
import { describeTransition, requireLegal } from './stateMachine';

/** The call that removes a job. Its reply is 1, also for a job that is gone already. */
export const removeCall = (k: Keys, id: string, includeChildren: boolean): ScriptCall => ({
  script: describeTransition('remove').scripts[0] ?? '',
  keys: [k.job(id), k.repeat()],
  args: [id, includeChildren ? 1 : 0, k.base],
  queueKey: k.queueKey,
});

/**
 * Removes a job from whatever state it is in. One that is gone already is no error.
 * @throws ScriptRefusal when a worker holds its lock, or that of a child that is to go, or when it is the pending
 * iteration of a job scheduler.
 */
export async function removeJob(
  executor: Executor,
  keys: Keys,
  id: string,
  includeChildren: boolean,
): Promise<void> {
  await runOrRefuse(executor, removeCall(keys, id, includeChildren), id);
}

/**
 * Makes a delayed job run so many ms after `nowMs`.
 * @throws InputError for a delay that cannot be. @throws ScriptRefusal when the job is not delayed any more.
 */
export async function changeDelay(
  executor: Executor,
  k: Keys,
  id: string,
  delayMs: number,
  nowMs: number,
): Promise<void> {
  requireDelay(delayMs);
  const call: ScriptCall = {
    script: describeTransition('changeDelay').scripts[0] ?? '',
    keys: [k.delayed(), k.meta(), k.marker(), k.events()],
    args: [delayMs, nowMs, id, k.job(id)],
    queueKey: k.queueKey,
  };
  await runOrRefuse(executor, call, id, 'delayed');
}

/**
 * Gives a job that has not started another priority, and with it its new place. Should it have left `from` meanwhile,
 * the priority counts where it is next used.
 * @param isFirst before all others of that priority, not behind them.
 * @throws InputError for a priority that cannot be, or a state in which it has no meaning. @throws ScriptRefusal when
 * the job is gone.
 */
export async function changePriority(
  executor: Executor,
  k: Keys,
  id: string,
  from: JobState,
  priority: number,
  isFirst: boolean,
): Promise<void> {
  requirePriority(priority);
  const call: ScriptCall = {
    script: requireLegal('changePriority', from).scripts[0] ?? '',
    keys: [k.wait(), k.paused(), k.meta(), k.prioritized(), k.active(), k.priorityCounter(), k.marker()],
    args: [priority, k.base, id, isFirst ? 1 : 0],
    queueKey: k.queueKey,
  };
  await runOrRefuse(executor, call, id);
}

/**
 * Replaces the data of a job, byte for byte, if it is still `before`, byte for byte.
 * @throws InputError when `after` is no JSON. @throws ScriptRefusal when the data is another by now, or the job is gone.
 */
export async function updateData(
  executor: Executor,
  keys: Keys,
  id: string,
  before: string,
  after: string,
): Promise<void> {
  requireJson(after);
  const call: ScriptCall = {
    script: describeTransition('editData').scripts[0] ?? '',
    keys: [keys.job(id)],
    args: [before, after],
    queueKey: keys.queueKey,
  };
  await runOrRefuse(executor, call, id);
}

/**
 * Forgets how often a job has stalled, if it is still so often.
 * @throws ScriptRefusal when the count is another by now, a worker holds the job, or it is gone.
 */
export async function resetStallCount(
  executor: Executor,
  keys: Keys,
  id: string,
  stallCount: number | undefined,
): Promise<void> {
  const call: ScriptCall = {
    script: describeTransition('resetStalls').scripts[0] ?? '',
    keys: [keys.job(id)],
    args: [stallCount ?? ''],
    queueKey: keys.queueKey,
  };
  await runOrRefuse(executor, call, id);
}
