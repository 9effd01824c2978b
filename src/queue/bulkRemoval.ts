/**
 * Removing many jobs. With a backup each job is read, given to whoever keeps the backup, and removed only when that is
 * done and its hash is still what was kept. What the caller does with a backup is its own affair; when it fails, nothing
 * of that batch is removed.
 */
import { encode } from '@msgpack/msgpack';
import type { Executor, ScriptCall } from '../executor/types';
import type { Keys } from '../keys/keys';
import type { JobState } from '../keys/states';
import { type BackupBatch, fingerprint, type JobBackup, splitBySize, tryReadBackup } from './backup';
import { BulkLedger, type BulkOptions, type BulkReport, split } from './bulk';
import { readOrFail } from './bulkMoves';
import { removeCall } from './changes';
import { type Choice, chooseJobs } from './choose';
import { describeTransition } from './stateMachine';

export interface RemovalOptions extends BulkOptions {
  /** Keeps the jobs of a batch before they are removed. When it rejects, they stay, and nothing more is removed. */
  readonly backup?: (batch: BackupBatch) => Promise<void>;
}

/** So many jobs are prepared, and measured for a backup, at a time. */
const CHUNK = 100;

/** Removes jobs, in the given order. Jobs that a worker holds, and pending iterations of schedulers, are skipped. */
export async function removeJobs(
  executor: Executor,
  keys: Keys,
  ids: readonly string[],
  options: RemovalOptions = {},
  state?: JobState,
): Promise<BulkReport> {
  const ledger = new BulkLedger(ids.length, options);
  await removeInto(ledger, executor, keys, ids, options, state);
  return ledger.report();
}

/** The same, into a report that goes on. */
export async function removeInto(
  ledger: BulkLedger,
  executor: Executor,
  keys: Keys,
  ids: readonly string[],
  { backup }: RemovalOptions,
  state?: JobState,
): Promise<void> {
  for (const chunk of split(ids, CHUNK)) {
    if (!backup) {
      await ledger.runEach(
        executor,
        chunk.map((id) => ({ id, call: removeCall(keys, id, false) })),
      );
      continue;
    }
    const batches = (await readOrFail(ledger, chunk, () => splitBySize(executor, keys, chunk))) ?? [];
    for (const batch of batches) {
      const read = await readOrFail(ledger, batch, () => tryReadBackup(executor, keys, batch, state));
      for (const { id, problem } of read?.problems ?? []) ledger.fail([id], problem);
      const backups = read?.backups ?? [];
      if (backups.length === 0 || !(await keepOrStop(ledger, backup, backups))) continue;
      const calls = backups.map((one) => ({ id: one.id, call: removeUnchangedCall(keys, one) }));
      await ledger.runEach(executor, calls);
    }
  }
}

/** Whether the backup is kept. What is not kept is not removed. */
async function keepOrStop(
  ledger: BulkLedger,
  keep: (batch: BackupBatch) => Promise<void>,
  batch: BackupBatch,
): Promise<boolean> {
  try {
    await keep(batch);
    return true;
  } catch (error) {
    const ids = batch.map(({ id }) => id);
    ledger.stopBefore(ids, 'It was not removed, because its backup could not be kept', error);
    return false;
  }
}

const removeUnchangedCall = (k: Keys, backup: JobBackup): ScriptCall => {
  const { names, sha } = fingerprint(backup);
  return {
    script: describeTransition('removeBackedUp').scripts[0] ?? '',
    keys: [k.job(backup.id), k.repeat()],
    args: [backup.id, k.base, encode(names), sha],
    queueKey: k.queueKey,
  };
};

/** Removes the jobs of a state that are old enough, at most so many. */
export async function cleanJobs(
  executor: Executor,
  keys: Keys,
  choice: Choice,
  options: RemovalOptions = {},
): Promise<BulkReport> {
  const ids = await chooseJobs(executor, keys, choice, options);
  return removeJobs(executor, keys, ids, options, choice.state);
}

/** Removes the jobs that wait for a worker, and the delayed ones where that is asked for. */
export async function drainQueue(
  executor: Executor,
  keys: Keys,
  includeDelayed: boolean,
  options: RemovalOptions = {},
): Promise<BulkReport> {
  const states: JobState[] = ['wait', 'paused', 'prioritized'];
  if (includeDelayed) states.push('delayed');
  const chosen: (readonly [JobState, string[]])[] = [];
  for (const state of states) chosen.push([state, await chooseJobs(executor, keys, { state }, options)]);
  const ledger = new BulkLedger(
    chosen.reduce((sum, [, ids]) => sum + ids.length, 0),
    options,
  );
  for (const [state, ids] of chosen) await removeInto(ledger, executor, keys, ids, options, state);
  return ledger.report();
}
