/** Refreshing the counts of all queues. */
import { Keys, type QueueAddress } from '../../src/keys/keys';
import { STATES } from '../../src/keys/states';
import { readQueueSummaries } from '../../src/queue/counts';
import { oracle, ours, replay } from './contenders';
import { PREFIX } from './manyQueues';
import { compareTimes, measureTraffic, type Traffic } from './measure';
import type { CaseReport } from './report';

const MAX_REPLY_BYTES_PER_QUEUE = 100;

export async function benchRefresh(
  port: number,
  addresses: readonly QueueAddress[],
  largeJobs: number,
  rounds: number,
): Promise<CaseReport> {
  const contenders = [
    ours('this extension', (executor) => readQueueSummaries(executor, addresses)),
    oracle('bullmq: `getJobCounts` and `isPaused` of each queue, all at once', addresses, (queues) =>
      Promise.all(queues.flatMap((queue) => [queue.getJobCounts(), queue.isPaused()])),
    ),
    replay(
      'replay: KEYS, then each count of each queue by itself, and CLIENT LIST for each',
      async (redis) => {
        await redis.keys(`${PREFIX}:*:meta`);
        for (const { prefix, queue } of addresses) {
          const keys = new Keys(prefix, queue);
          await redis.client('LIST');
          for (const { state, type } of STATES) {
            await (type === 'list' ? redis.llen(keys.state(state)) : redis.zcard(keys.state(state)));
          }
        }
      },
    ),
    replay('replay: KEYS, then the ids of each state of each queue', async (redis) => {
      await redis.keys(`${PREFIX}:*:meta`);
      await Promise.all(
        addresses.flatMap(({ prefix, queue }) => {
          const keys = new Keys(prefix, queue);
          return STATES.map(({ state, type }) =>
            type === 'list'
              ? redis.lrange(keys.state(state), 0, -1)
              : redis.zrange(keys.state(state), 0, '-1'),
          );
        }),
      );
    }),
  ];
  const traffic: Traffic[] = [];
  for (const contender of contenders) traffic.push(await measureTraffic(contender, port));
  const times = await compareTimes(contenders, port, rounds);
  const [mine] = traffic;
  const jobs = largeJobs.toLocaleString('en-US');
  return {
    title: `Refresh of ${addresses.length} queues, one of them with ${jobs} jobs`,
    about:
      'The counts of all eight states of every queue, and whether it is paused. Time is told as so many times that ' +
      'of this extension in the same round. The replays send what other tools were seen to send, written anew.',
    columns: ['', 'commands', 'round trips', 'bytes received', 'bytes sent', 'time'],
    rows: contenders.map(({ name }, i) => {
      const one = traffic[i];
      const time = times[i];
      if (!one || !time) throw new Error(`${name} was not measured.`);
      return [name, one.commands, one.roundTrips, one.bytesReceived, one.bytesSent, time];
    }),
    claims: [
      { text: 'one refresh is one round trip.', isHeld: mine?.roundTrips === 1 },
      {
        text: `its replies take at most ${MAX_REPLY_BYTES_PER_QUEUE} bytes a queue.`,
        isHeld: (mine?.bytesReceived ?? Infinity) <= MAX_REPLY_BYTES_PER_QUEUE * addresses.length,
      },
    ],
  };
}
