/** Retrying and promoting many jobs: the script that moves one, for each of them. */
import type { Executor } from '../executor/types';
import type { Keys } from '../keys/keys';
import type { JobState } from '../keys/states';
import { BulkLedger, type BulkOptions, type BulkReport, split } from './bulk';
import { promoteCall, readLifo, retryCall } from './moves';
import { requireLegal } from './stateMachine';

/** So many jobs are prepared at a time. */
const CHUNK = 100;

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
    const calls = chunk.map((id) => ({
      id,
      call: retryCall(keys, id, from, lifo.has(id), options.resetAttempts ?? false),
    }));
    await ledger.runEach(executor, calls, from);
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
  for (const chunk of split(ids, CHUNK)) {
    const calls = chunk.map((id) => ({ id, call: promoteCall(keys, id) }));
    await ledger.runEach(executor, calls, 'delayed');
  }
  return ledger.report();
}

/** Reads what a chunk needs. `undefined` when it is over, or cannot be read: then it is over, and the chunk is noted. */
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
    ledger.stopBefore(ids, 'It could not be read', error);
    return undefined;
  }
}
