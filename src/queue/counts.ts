/** The counts of queues: nine O(1) commands a queue, all queues in one round trip. */
import type { Executor, ReadCommand, ReadReply } from '../executor/types';
import { Keys, type QueueAddress } from '../keys/keys';
import { type JobState, STATES } from '../keys/states';
import { findError, findNumber } from './replies';
import type { Count, QueueSummary } from './types';

const commandsFor = (keys: Keys): ReadCommand[] => [
  ...STATES.map(({ state, type }): ReadCommand => [type === 'list' ? 'LLEN' : 'ZCARD', keys.state(state)]),
  ['HEXISTS', keys.meta(), 'paused'],
];

/**
 * The summaries of queues, in the order asked for. A key that cannot be counted (wrong type, no permission) makes
 * only that count an error.
 * @throws ConnectionError when the server cannot be asked.
 */
export async function readQueueSummaries(
  executor: Executor,
  addresses: readonly QueueAddress[],
): Promise<QueueSummary[]> {
  const perQueue = STATES.length + 1;
  const replies = await executor.read(
    addresses.flatMap(({ prefix, queue }) => commandsFor(new Keys(prefix, queue))),
  );
  return addresses.map((address, i) =>
    decodeSummary(address, replies.slice(i * perQueue, (i + 1) * perQueue)),
  );
}

function decodeSummary(address: QueueAddress, replies: readonly ReadReply[]): QueueSummary {
  const counts = Object.fromEntries(
    STATES.map(({ state }, i): [JobState, Count] => [
      state,
      findError(replies[i]) ?? findNumber(replies[i]) ?? 0,
    ]),
  ) as Record<JobState, Count>;
  const paused = findNumber(replies[STATES.length]);
  return { address, counts, isPaused: paused === undefined ? undefined : paused === 1 };
}
