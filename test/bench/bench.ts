/** The benchmark: its sizes and its cases. Everything is told against something measured in the same run. */

import { openStage } from '../redis/support/stage';
import { type BulkSizes, benchBulk } from './bulk';
import { benchFirstPage } from './firstPage';
import { benchGrowth, type GrowthSizes } from './growth';
import { makeQueues } from './manyQueues';
import { benchRefresh } from './refresh';
import type { CaseReport } from './report';
import { benchScripts, type ScriptSizes } from './scripts';

export interface BenchSizes {
  readonly smallQueues: number;
  readonly largeJobs: number;
  readonly rounds: number;
  readonly growth: GrowthSizes;
  readonly scripts: ScriptSizes;
  readonly bulk: BulkSizes;
}

export const FULL: BenchSizes = {
  smallQueues: 200,
  largeJobs: 1_000_000,
  rounds: 11,
  growth: { small: 1000, large: 1_000_000, repeats: 100, rounds: 5 },
  scripts: { jobs: 1000, others: 100_000, rounds: 7 },
  bulk: { jobs: 100_000, rounds: 3 },
};

/** So small that it shows only that every case runs. */
export const QUICK: BenchSizes = {
  smallQueues: 4,
  largeJobs: 2000,
  rounds: 2,
  growth: { small: 300, large: 1000, repeats: 3, rounds: 2 },
  scripts: { jobs: 20, others: 100, rounds: 1 },
  bulk: { jobs: 200, rounds: 1 },
};

/** Runs every case on a Redis of its own and hands on each report as it comes. */
export async function runBench(sizes: BenchSizes, onReport: (report: CaseReport) => void): Promise<void> {
  const stage = await openStage();
  try {
    const { port } = stage.server;
    const addresses = await makeQueues(stage.admin, sizes.smallQueues, sizes.largeJobs);
    onReport(await benchRefresh(port, addresses, sizes.largeJobs, sizes.rounds));
    onReport(await benchFirstPage(port, sizes.largeJobs, sizes.rounds));
    onReport(await benchGrowth(stage.admin, stage.connect(), sizes.growth));
    onReport(await benchScripts(stage.admin, port, sizes.scripts));
    onReport(await benchBulk(stage.admin, port, sizes.bulk));
  } finally {
    await stage.close();
  }
}
