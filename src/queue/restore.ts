/** Brings removed jobs back from their backups, each by one script. */
import { encode } from '@msgpack/msgpack';
import type { Executor, ScriptCall } from '../executor/types';
import type { Keys } from '../keys/keys';
import type { BackupBatch, JobBackup } from './backup';
import { BulkLedger, type BulkOptions, type BulkReport, type Unmoved } from './bulk';
import { describeTransition } from './stateMachine';

export interface RestoreReport extends BulkReport {
  /** Brought back, but not all as it was. */
  readonly remarks: readonly Unmoved[];
}

/** What the script answers when the parent does not wait any more. */
const WITHOUT_PARENT = 2;

/**
 * Brings jobs back with all their keys, into their state and to their place there. The batch that was removed last goes
 * first, so that every job finds the neighbours it had. A job whose id exists again is skipped.
 * @param batches in the order in which they were backed up.
 */
export async function restoreJobs(
  executor: Executor,
  keys: Keys,
  batches: readonly BackupBatch[],
  options: BulkOptions = {},
): Promise<RestoreReport> {
  const ledger = new BulkLedger(
    batches.reduce((sum, batch) => sum + batch.length, 0),
    options,
  );
  const remarks: Unmoved[] = [];
  for (const batch of [...batches].reverse()) {
    // Those served first go first: the place of a job counts those before it.
    const inOrder = [...batch].sort((a, b) => Number(a.place) - Number(b.place));
    const calls = inOrder.map((backup) => ({ id: backup.id, call: restoreCall(keys, backup) }));
    await ledger.runEach(executor, calls, undefined, (id, reply) => {
      if (reply === WITHOUT_PARENT) remarks.push({ id, reason: 'Its parent does not wait for it any more.' });
    });
  }
  return { ...ledger.report(), remarks };
}

function restoreCall(k: Keys, backup: JobBackup): ScriptCall {
  const { id, state, place, fields, logs, dependencies, processed, failed, unsuccessful } = backup;
  const { deduplication } = backup;
  const owned = deduplication && {
    key: k.deduplication(deduplication.id),
    ttl: deduplication.ttl,
    nextKey: k.deduplicationNext(deduplication.id),
    next: deduplication.next,
  };
  return {
    script: describeTransition('restore').scripts[0] ?? '',
    keys: [
      k.job(id),
      k.state(state === '' ? 'wait' : state),
      k.wait(),
      k.paused(),
      k.active(),
      k.delayed(),
      k.meta(),
      k.marker(),
      k.events(),
    ],
    args: [
      id,
      state,
      place,
      encode({ fields, logs, dependencies, processed, failed, unsuccessful }),
      owned ? encode(owned) : '',
      backup.isAwaited ? 1 : 0,
    ],
    queueKey: k.queueKey,
  };
}
