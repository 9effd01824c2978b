/** Whether what the server spends on browsing grows with a queue. */
import type { Redis } from 'ioredis';
import type { Executor } from '../../src/executor/types';
import { Keys } from '../../src/keys/keys';
import type { JobState } from '../../src/keys/states';
import { Queue } from '../../src/queue/queue';
import { addressOf, PREFIX } from './manyQueues';
import { measureServerTimes } from './measure';
import { type CaseReport, type Cell, spreadOf } from './report';
import { fillState } from './seed';

const MOST_GROWTH = 2;
const ROWS = 100;
const STATES_MEASURED: readonly JobState[] = [
  'wait',
  'active',
  'delayed',
  'prioritized',
  'completed',
  'failed',
];
const QUEUES = { small: 'growth-small', large: 'growth-large' } as const;

export interface GrowthSizes {
  readonly small: number;
  readonly large: number;
  /** How often each thing is done in a round. */
  readonly repeats: number;
  readonly rounds: number;
}

/** What is done with a queue of so many jobs, all of them in one state. */
const ACTIONS: Readonly<Record<string, (queue: Queue, state: JobState, jobs: number) => Promise<unknown>>> = {
  counts: (queue) => queue.readSummary(),
  'first page': (queue, state) => queue.readPage(state, { offset: 0, limit: ROWS }),
  'page in the middle': (queue, state, jobs) =>
    queue.readPage(state, { offset: Math.floor(jobs / 2), limit: ROWS }),
  'open a job': (queue, state, jobs) => queue.readJob(`${Math.floor(jobs / 2)}`, state),
};

/** What the server's clock cannot tell from nothing, and what a cold cache costs. */
const LEAST_MICROSECONDS = 2;

/** Told, but not held to the claim: both walk along a list, the one up to a budget, the other to where its page is. */
const WALKS: readonly string[] = ['lpos', 'lrange\npage in the middle'];

/** How a command grew: the ratio in each round, and by how many microseconds. */
interface Growth {
  readonly ratios: number[];
  readonly microseconds: number[];
}

export async function benchGrowth(admin: Redis, executor: Executor, sizes: GrowthSizes): Promise<CaseReport> {
  const growths = new Map<string, Growth>();
  const note = (name: string, small: number, large: number) => {
    const growth = growths.get(name) ?? { ratios: [], microseconds: [] };
    growths.set(name, growth);
    growth.ratios.push(large / small);
    growth.microseconds.push(large - small);
  };
  for (const state of STATES_MEASURED) {
    for (const size of ['small', 'large'] as const) await fillQueue(admin, QUEUES[size], state, sizes[size]);
    for (let round = 0; round < sizes.rounds; round += 1) {
      for (const [action, act] of Object.entries(ACTIONS)) {
        const measure = async (size: 'small' | 'large') => {
          const queue = new Queue(executor, addressOf(QUEUES[size]));
          return measureServerTimes(admin, async () => {
            for (let i = 0; i < sizes.repeats; i += 1) await act(queue, state, sizes[size]);
          });
        };
        const isReversed = round % 2 === 1;
        const firstTimes = await measure(isReversed ? 'large' : 'small');
        const secondTimes = await measure(isReversed ? 'small' : 'large');
        const [small, large] = isReversed ? [secondTimes, firstTimes] : [firstTimes, secondTimes];
        for (const [command, time] of large) {
          const before = small.get(command);
          // Under a microsecond in all its calls: nothing to compare.
          if (before && time) note(`${command}\n${action}, ${state}`, before, time);
        }
      }
    }
    for (const queue of Object.values(QUEUES)) await admin.unlink(new Keys(PREFIX, queue).state(state));
  }
  return report(growths, sizes);
}

async function fillQueue(admin: Redis, queue: string, state: JobState, jobs: number): Promise<void> {
  const keys = new Keys(PREFIX, queue);
  await admin.hset(keys.meta(), 'opts.maxLenEvents', 10000);
  await fillState(admin, keys, state, [1, jobs], false);
  // Only the jobs that are looked at need a hash: a page from either end, and one from the middle.
  const middle = Math.floor(jobs / 2);
  const ids = [1, jobs - 2 * ROWS, middle - ROWS].flatMap((from) =>
    Array.from({ length: 2 * ROWS + 1 }, (_, i) => from + i),
  );
  const pipeline = admin.pipeline();
  for (const id of ids) {
    if (id >= 1 && id <= jobs)
      pipeline.hset(keys.job(`${id}`), { name: 'send', data: '{}', opts: '{}', timestamp: 1 });
  }
  await pipeline.exec();
}

/** One row a command: where it grew most. Walks have rows of their own. */
function report(growths: ReadonlyMap<string, Growth>, { small, large }: GrowthSizes): CaseReport {
  const worst = new Map<string, { where: string; growth: Growth }>();
  for (const [name, growth] of growths) {
    const [command = '', where = ''] = name.split('\n');
    const row = WALKS.find((walk) => name.startsWith(walk)) ?? command;
    const known = worst.get(row);
    if (!known || spreadOf(growth.ratios).median > spreadOf(known.growth.ratios).median) {
      worst.set(row, { where, growth });
    }
  }
  const rows = [...worst].sort(([a], [b]) => (a < b ? -1 : 1));
  const isFlat = ({ ratios, microseconds }: Growth) =>
    spreadOf(ratios).median <= MOST_GROWTH || spreadOf(microseconds).median < LEAST_MICROSECONDS;
  const [many, few] = [large.toLocaleString('en-US'), small.toLocaleString('en-US')];
  return {
    title: `What the server spends at ${many} jobs against ${few}`,
    about:
      'Microseconds a call, as `INFO commandstats` tells them, on two queues of one server, in alternating rounds: ' +
      'counts, the first page, a page in the middle, and opening a job, in each of six states. Each command is told ' +
      'where it grew most. Two walk along a list: `LPOS` looks for a job, at most 10,000 entries from each end and no ' +
      'further, and `LRANGE` for a page far from both ends has to get there.',
    columns: ['command', 'where it grew most', 'growth'],
    rows: rows.map(([row, { where, growth }]): Cell[] => [
      (row.split('\n')[0] ?? '').replace('|', ' ').toUpperCase(),
      where,
      spreadOf(growth.ratios),
    ]),
    claims: [
      {
        text:
          `apart from these two, no command takes more than ${MOST_GROWTH} times as long, ` +
          `or the difference is less than ${LEAST_MICROSECONDS} µs.`,
        isHeld: rows.every(([row, { growth }]) => WALKS.includes(row) || isFlat(growth)),
      },
    ],
  };
}
