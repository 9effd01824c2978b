/** Retrying very many jobs at once: memory and time, each run in a process of its own. */
import { once } from 'node:events';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { Keys } from '../../src/keys/keys';
import { spawnOwned } from '../support/child';
import { ROOT } from '../support/paths';
import type { BulkResult } from './bulkChild';
import { PREFIX } from './manyQueues';
import { type CaseReport, spreadOf } from './report';
import { fillState } from './seed';

const MOST_GROWTH_BYTES = 50_000_000;
const QUEUE = 'bulk';

export interface BulkSizes {
  readonly jobs: number;
  readonly rounds: number;
}

export async function benchBulk(
  admin: Redis,
  port: number,
  { jobs, rounds }: BulkSizes,
): Promise<CaseReport> {
  const keys = new Keys(PREFIX, QUEUE);
  const results: Record<'ours' | 'theirs', BulkResult[]> = { ours: [], theirs: [] };
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const);
    for (const who of order) {
      await admin.flushall();
      await admin.hset(keys.meta(), 'opts.maxLenEvents', 10000);
      await fillState(admin, keys, 'failed', [1, jobs]);
      results[who].push(await runChild(who, port, jobs));
    }
  }
  await admin.flushall();
  const { ours, theirs } = results;
  const against = (pick: (result: BulkResult) => number) =>
    spreadOf(theirs.map((result, i) => pick(result) / Math.max(pick(ours[i] ?? result), 1)));
  const most = Math.max(...ours.map(({ grownBytes }) => grownBytes));
  const megabytes = (of: readonly BulkResult[]) =>
    `${Math.round(Math.max(...of.map(({ grownBytes }) => grownBytes)) / 1e6)} MB`;
  const many = jobs.toLocaleString('en-US');
  return {
    title: `Retry of ${many} failed jobs at once`,
    about:
      'Ours runs one script a job, can be cancelled after any hundred, and reports every job by its id. `retryJobs` of ' +
      'bullmq runs one script for 1,000 jobs and reports nothing. Memory is the growth of the most that the process ' +
      'held; time is how many times as long as ours the other took in the same round.',
    columns: ['', 'jobs moved', 'memory grown by at most', 'time'],
    rows: [
      ['this extension', ours[0]?.moved ?? 0, megabytes(ours), spreadOf(ours.map(() => 1))],
      [
        'bullmq: `retryJobs`',
        theirs[0]?.moved ?? 0,
        megabytes(theirs),
        against(({ milliseconds }) => milliseconds),
      ],
    ],
    claims: [
      { text: 'every job is moved.', isHeld: [...ours, ...theirs].every(({ moved }) => moved === jobs) },
      {
        text: `memory grows by less than ${MOST_GROWTH_BYTES / 1e6} MB.`,
        isHeld: most < MOST_GROWTH_BYTES,
      },
    ],
  };
}

async function runChild(who: 'ours' | 'theirs', port: number, jobs: number): Promise<BulkResult> {
  const args = ['--import', 'tsx', join('test', 'bench', 'bulkChild.ts'), who, `${port}`, QUEUE, `${jobs}`];
  const child = spawnOwned(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The process that retries jobs (${who}) ended without a result.`);
  });
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [BulkResult];
  ended.catch(() => {});
  return result;
}
