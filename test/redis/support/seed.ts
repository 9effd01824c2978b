/** Writes jobs straight into Redis, as workers would have left them. Only for tests: the product writes by scripts. */
import type { Redis } from 'ioredis';
import type { Keys } from '../../../src/keys/keys';
import { describeState, type JobState } from '../../../src/keys/states';

/** A moment that the tests call now. */
export const NOW_MS = 1_796_000_000_000;

export interface SeededJob {
  readonly id: string;
  readonly fields?: Readonly<Record<string, string | number>>;
  readonly score?: number | string;
}

/** The fields every job has. */
export const basicFields = (name = 'send') => ({
  name,
  data: '{}',
  opts: '{"attempts":0}',
  timestamp: NOW_MS,
  delay: 0,
  priority: 0,
});

/** Stores jobs in a state in the order in which they came: the first given is the oldest. */
export async function seedJobs(
  admin: Redis,
  keys: Keys,
  state: JobState,
  jobs: readonly SeededJob[],
): Promise<void> {
  const isList = describeState(state).type === 'list';
  for (let from = 0; from < jobs.length; from += 5000) {
    const pipeline = admin.pipeline();
    for (const [i, { id, fields = basicFields(), score = NOW_MS + from + i }] of jobs
      .slice(from, from + 5000)
      .entries()) {
      pipeline.hset(keys.job(id), fields);
      if (isList) pipeline.lpush(keys.state(state), id);
      else pipeline.zadd(keys.state(state), score, id);
    }
    await pipeline.exec();
  }
}

/** `count` jobs with the ids 1, 2, 3 … */
export const numberedJobs = (count: number, fields?: SeededJob['fields']): SeededJob[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${i + 1}`, ...(fields ? { fields } : {}) }));
