/** Retrying and promoting many jobs: the script that moves one, for each of them. */
import type { Executor } from '../executor/types';
import type { Keys } from '../keys/keys';
import type { JobState } from '../keys/states';
import { BulkLedger, type BulkOptions, type BulkReport, split } from './bulk';
import { promoteCall, readLifo, retryCall } from './moves';
import { runOrRefuse } from './runOrRefuse';
import { requireLegal } from './stateMachine';

/** So many at a time, for which is read whether they are to run next. */
const CHUNK = 1000;

/**
 * Runs finished jobs again, those first that are given first.
 * @throws InputError when no job is retried from that state.
 */
export async function retryJobs(
  executor: Executor,
  keys: Keys,
  ids: readonly string[],
  from: JobState,
  options: BulkOptions & { readonly resetAttempts?: boolean } = {},
): Promise<BulkReport> {
  requireLegal('retry', from);
  const ledger = new BulkLedger(ids.length, options);
  for (const chunk of split(ids, CHUNK)) {
    const lifo = await readOrFail(ledger, chunk, () => readLifo(executor, keys, chunk));
    if (!lifo) continue;
    await ledger.runEach(chunk, (id) => {
      const call = retryCall(keys, id, from, lifo.has(id), options.resetAttempts ?? false);
      return runOrRefuse(executor, call, id, from);
    });
  }
  return ledger.report();
}

/** Makes delayed jobs ready to run now, those first that are given first. */
export async function promoteJobs(
  executor: Executor,
  keys: Keys,
  ids: readonly string[],
  options: BulkOptions = {},
): Promise<BulkReport> {
  const ledger = new BulkLedger(ids.length, options);
  await ledger.runEach(ids, (id) => runOrRefuse(executor, promoteCall(keys, id), id, 'delayed'));
  return ledger.report();
}

/** Reads what a chunk needs. `undefined` when it is over, or failed: what became of the chunk is noted then. */
export async function readOrFail<T>(
  ledger: BulkLedger,
  ids: readonly string[],
  read: () => Promise<T>,
): Promise<T | undefined> {
  if (ledger.isOver) {
    ledger.skipRest(ids);
    return undefined;
  }
  try {
    return await read();
  } catch (error) {
    ledger.fail(ids, error);
    return undefined;
  }
}
