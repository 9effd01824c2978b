/** Opening a state of a large queue: its first page. */
import { Keys } from '../../src/keys/keys';
import type { JobState } from '../../src/keys/states';
import { readPage } from '../../src/queue/page';
import { oracle, ours, replay } from './contenders';
import { addressOf, LARGE_QUEUE, PREFIX } from './manyQueues';
import { compareTimes, measureTraffic, type Traffic } from './measure';
import type { CaseReport, Cell } from './report';
import { DATA_BYTES } from './seed';

const ROWS = 100;
const MAX_ROUND_TRIPS = 2;
const MAX_BYTES = 20_000;

export async function benchFirstPage(port: number, largeJobs: number, rounds: number): Promise<CaseReport> {
  const rows: Cell[][] = [];
  const claims = [];
  for (const state of ['wait', 'completed'] as const) {
    const contenders = contendersFor(state);
    const traffic: Traffic[] = [];
    for (const contender of contenders) traffic.push(await measureTraffic(contender, port));
    const times = await compareTimes(contenders, port, rounds);
    for (const [i, { name }] of contenders.entries()) {
      const one = traffic[i];
      const time = times[i];
      if (!one || !time) throw new Error(`${name} was not measured.`);
      rows.push([`${state}: ${name}`, one.commands, one.roundTrips, one.bytesReceived, time]);
    }
    const [mine] = traffic;
    claims.push({
      text: `a page of ${state} takes at most ${MAX_ROUND_TRIPS} round trips and ${MAX_BYTES} bytes.`,
      isHeld: mine !== undefined && mine.roundTrips <= MAX_ROUND_TRIPS && mine.bytesReceived <= MAX_BYTES,
    });
  }
  return {
    title: `First page of ${ROWS} from a queue of ${largeJobs.toLocaleString('en-US')} jobs`,
    about:
      `Each job has ${DATA_BYTES} bytes of data. Rows of this extension never fetch it, so that its size does not ` +
      'matter; the others bring it along. Time is told as so many times that of this extension in the same round.',
    columns: ['', 'commands', 'round trips', 'bytes received', 'time'],
    rows,
    claims,
  };
}

function contendersFor(state: JobState & ('wait' | 'completed')) {
  const address = addressOf(LARGE_QUEUE);
  const keys = new Keys(PREFIX, LARGE_QUEUE);
  const type = state === 'wait' ? 'waiting' : state;
  return [
    ours('this extension', (executor) => readPage(executor, keys, state, { offset: 0, limit: ROWS })),
    oracle('bullmq: `getJobs`', [address], async ([queue]) =>
      queue?.getJobs([type], 0, ROWS - 1, state === 'wait'),
    ),
    replay('replay: all ids, then the whole hash of each job of the page', async (redis) => {
      const ids =
        state === 'wait'
          ? await redis.lrange(keys.wait(), 0, -1)
          : await redis.zrange(keys.completed(), 0, '-1');
      await Promise.all(ids.slice(0, ROWS).map((id) => redis.hgetall(keys.job(id))));
    }),
  ];
}
