/** Fills queues with more jobs than a client could write in reasonable time: a script of the benchmark's own does it. */
import type { Redis } from 'ioredis';
import type { Keys } from '../../src/keys/keys';
import { describeState, type JobState } from '../../src/keys/states';
import { NOW_MS } from '../redis/support/seed';

/** Bytes of each job's data. */
export const DATA_BYTES = 500;

const STEP = 10_000;
const FILL = `
local base, state, kind, first, last, data, now = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
for id = first, last do
  if kind == 'list' then redis.call('LPUSH', state, id) else redis.call('ZADD', state, id, id) end
  if data ~= '' then
    redis.call('HSET', base .. string.format('%d', id), 'name', 'send', 'data', data, 'opts', '{"attempts":0}',
      'timestamp', now, 'delay', 0, 'priority', 0)
  end
end`;

/** The data of a seeded job. */
const seededData = () => JSON.stringify({ text: 'x'.repeat(DATA_BYTES - 11) });

/** Adds jobs with the ids `first` to `last` to a state, the first as the oldest. */
export async function fillState(
  admin: Redis,
  keys: Keys,
  state: JobState,
  [first, last]: readonly [first: number, last: number],
  hasHashes = true,
): Promise<void> {
  const { type } = describeState(state);
  const data = hasHashes ? seededData() : '';
  for (let from = first; from <= last; from += STEP) {
    const to = Math.min(from + STEP - 1, last);
    await admin.eval(FILL, 2, keys.base, keys.state(state), type, from, to, data, NOW_MS);
  }
}
