/** The server that browsing is measured on: many small queues and one with a million jobs. */
import type { Redis } from 'ioredis';
import { Keys, type QueueAddress } from '../../src/keys/keys';
import type { JobState } from '../../src/keys/states';
import { fillState } from './seed';

export const PREFIX = 'emq';
export const LARGE_QUEUE = 'large';

/** How many of the large queue's jobs are in each state, out of ten. */
const SHARES: readonly (readonly [JobState, number])[] = [
  ['wait', 4],
  ['completed', 4],
  ['failed', 1],
  ['delayed', 1],
];
const SMALL_QUEUE_JOBS = 10;

export const addressOf = (queue: string): QueueAddress => ({ prefix: PREFIX, queue });

/** Makes the queues and gives their addresses; the large one is the last. */
export async function makeQueues(
  admin: Redis,
  smallQueues: number,
  largeJobs: number,
): Promise<QueueAddress[]> {
  const names = [...Array.from({ length: smallQueues }, (_, i) => `queue-${i + 1}`), LARGE_QUEUE];
  for (const name of names) {
    const keys = new Keys(PREFIX, name);
    await admin.hset(keys.meta(), 'opts.maxLenEvents', 10000);
    const jobs = name === LARGE_QUEUE ? largeJobs : SMALL_QUEUE_JOBS;
    let first = 1;
    for (const [state, share] of SHARES) {
      const count = Math.round((jobs * share) / 10);
      await fillState(admin, keys, state, [first, first + count - 1]);
      first += count;
    }
  }
  return names.map(addressOf);
}
