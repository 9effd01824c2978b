/** The calls that make a job ready to run. */
import type { Executor, ReadCommand, ScriptCall } from '../executor/types';
import { wireName } from '../keys/jobFields';
import type { Keys } from '../keys/keys';
import type { JobState } from '../keys/states';
import { findNumber, findText } from './replies';
import { requireLegal } from './stateMachine';

/** Options longer than this are not fetched before a retry; such a job counts as not `lifo`. */
const MAX_OPTIONS_BYTES = 64 * 1024;

/** @throws InputError when no job is retried from that state. */
export function retryCall(k: Keys, id: string, from: JobState, isLifo: boolean, resets: boolean): ScriptCall {
  const reset = resets ? 1 : 0;
  return {
    script: requireLegal('retry', from).scripts[0] ?? '',
    keys: [k.job(id), k.events(), k.state(from), k.wait(), k.meta(), k.paused(), k.active(), k.marker()],
    args: [
      id,
      isLifo ? 'RPUSH' : 'LPUSH',
      wireName(from === 'completed' ? 'returnValue' : 'failedReason'),
      from,
      reset,
      reset,
    ],
    queueKey: k.queueKey,
  };
}

export const promoteCall = (k: Keys, id: string): ScriptCall => ({
  script: requireLegal('promote', 'delayed').scripts[0] ?? '',
  keys: [
    k.delayed(),
    k.wait(),
    k.paused(),
    k.meta(),
    k.prioritized(),
    k.active(),
    k.priorityCounter(),
    k.events(),
    k.marker(),
  ],
  args: [k.base, id],
  queueKey: k.queueKey,
});

/** Which of some jobs are to run before those that wait, as their options say. */
export async function readLifo(executor: Executor, keys: Keys, ids: readonly string[]): Promise<Set<string>> {
  const field = wireName('options');
  const sizes = await executor.read(ids.map((id): ReadCommand => ['HSTRLEN', keys.job(id), field]));
  const readable = ids.filter((_, i) => {
    const bytes = findNumber(sizes[i]) ?? 0;
    return bytes > 0 && bytes <= MAX_OPTIONS_BYTES;
  });
  const texts = await executor.read(readable.map((id): ReadCommand => ['HGET', keys.job(id), field]));
  return new Set(readable.filter((_, i) => isLifo(findText(texts[i]))));
}

function isLifo(text: string | undefined): boolean {
  try {
    const options: unknown = JSON.parse(text ?? '{}');
    return typeof options === 'object' && options !== null && 'lifo' in options && options.lifo === true;
  } catch {
    return false;
  }
}
