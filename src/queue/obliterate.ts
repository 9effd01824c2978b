/**
 * Removing a whole queue. It is paused for that, so that no worker takes what is about to go; whatever ends it before
 * all is gone, it is let go on again. A queue that was paused before stays so.
 */
import { ConnectionError, ScriptRefusal } from '../base/errors';
import type { Executor, ScriptCall } from '../executor/types';
import type { Keys } from '../keys/keys';
import type { JobState } from '../keys/states';
import { describeRefusal } from '../scripts/codes';
import { BulkLedger, type BulkReport } from './bulk';
import { type RemovalOptions, removeInto } from './bulkRemoval';
import { chooseJobs } from './choose';
import { pauseQueue, resumeQueue } from './pause';
import { requireValue } from './replies';
import { runOrRefuse } from './runOrRefuse';
import { describeTransition } from './stateMachine';

export interface ObliterateOptions extends RemovalOptions {
  /** Also jobs that workers hold. Their runs go on and fail when they end. */
  readonly force?: boolean;
}

/** Parents go before their children, so that they are kept as they waited. */
const ORDER: readonly JobState[] = [
  'waiting-children',
  'wait',
  'paused',
  'prioritized',
  'delayed',
  'failed',
  'completed',
  'active',
];
/** So many jobs a call of the script that removes the rest. */
const JOBS_PER_CALL = 500;
const NO_JOBS_ACTIVE = -2;
const CHANGED_SINCE_BACKUP = 0;

/**
 * Removes a queue with its jobs, schedulers and settings. A backup holds the jobs alone. When the report does not say
 * `complete`, the queue is still there and goes on with the jobs that are left.
 * @throws ScriptRefusal when jobs are active and it is not forced; nothing is removed then.
 */
export async function obliterateQueue(
  executor: Executor,
  keys: Keys,
  options: ObliterateOptions = {},
): Promise<BulkReport> {
  const { script } = obliterateCall(keys, options);
  const [paused, active] = await executor.read([
    ['HEXISTS', keys.meta(), 'paused'],
    ['LLEN', keys.active()],
  ]);
  const wasPaused = requireValue(paused) === 1;
  if (Number(requireValue(active)) > 0 && !options.force) {
    throw new ScriptRefusal(describeRefusal(NO_JOBS_ACTIVE, { script }), NO_JOBS_ACTIVE, script);
  }
  if (wasPaused) return removeAll(executor, keys, options);
  await pauseQueue(executor, keys);
  let report: BulkReport;
  try {
    report = await removeAll(executor, keys, options);
  } catch (error) {
    await letGoOn(executor, keys, error);
    throw error;
  }
  if (report.end !== 'complete') await letGoOn(executor, keys);
  return report;
}

async function removeAll(executor: Executor, keys: Keys, options: ObliterateOptions): Promise<BulkReport> {
  const chosen: (readonly [JobState, string[]])[] = [];
  for (const state of ORDER) chosen.push([state, await chooseJobs(executor, keys, { state }, options)]);
  const ledger = new BulkLedger(
    chosen.reduce((sum, [, ids]) => sum + ids.length, 0),
    options,
  );
  for (const [state, ids] of chosen) await removeInto(ledger, executor, keys, ids, options, state);
  const report = ledger.report();
  const isLeft = report.skipped.some(({ code }) => code === undefined || code === CHANGED_SINCE_BACKUP);
  if (report.end !== 'complete') return report;
  if (isLeft || report.failed.length > 0) return { ...report, end: 'stopped' };
  // What is left are the jobs that workers hold and the pending iterations of schedulers: all of it is in the backup.
  const call = obliterateCall(keys, options);
  while ((await runOrRefuse(executor, call)) === 1) ledger.tell();
  ledger.finishSkipped();
  ledger.tell();
  return ledger.report();
}

const obliterateCall = (keys: Keys, { force }: ObliterateOptions): ScriptCall => ({
  script: describeTransition('obliterate').scripts[0] ?? '',
  keys: [keys.meta(), keys.base],
  args: [JOBS_PER_CALL, force ? 'force' : ''],
  queueKey: keys.queueKey,
});

/** @throws ConnectionError that says that the queue is left paused, when it cannot be let go on. */
async function letGoOn(executor: Executor, keys: Keys, cause?: unknown): Promise<void> {
  try {
    await resumeQueue(executor, keys);
  } catch (error) {
    const code = ConnectionError.is(error) ? error.code : 'serverError';
    const sentence = `The queue "${keys.queue}" is not removed and was left paused. Resume it when the server answers.`;
    throw new ConnectionError(sentence, code, { cause: cause ?? error });
  }
}
