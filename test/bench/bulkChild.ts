/** A process of its own that retries all failed jobs of a queue, so that its memory can be measured from outside. */
import { Queue as OracleQueue } from 'bullmq';
import { createExecutor } from '../../src/executor/executor';
import { Queue } from '../../src/queue/queue';
import { library } from '../redis/support/stage';

/** What the process sends when it is done. */
export interface BulkResult {
  readonly milliseconds: number;
  /** How far the most memory it ever held grew over what it held before. */
  readonly grownBytes: number;
  readonly moved: number;
}

/** The most memory that this process has ever held. */
const peakBytes = () => process.resourceUsage().maxRSS * 1024;

async function retryAll(who: string, port: number, queueName: string, jobs: number): Promise<BulkResult> {
  const connection = { host: '127.0.0.1', port };
  const prefix = 'emq';
  const executor = createExecutor(connection, library);
  const ours = new Queue(executor, { prefix, queue: queueName });
  const theirs = new OracleQueue(queueName, { connection, prefix, skipMetasUpdate: true });
  await theirs.waitUntilReady();
  try {
    const { counts: before } = await ours.readSummary();
    const [startBytes, startMs] = [peakBytes(), performance.now()];
    if (who === 'ours') {
      const ids = Array.from({ length: jobs }, (_, i) => `${i + 1}`);
      await ours.retryJobs(ids, 'failed');
    } else await theirs.retryJobs({ state: 'failed', count: 1000 });
    const milliseconds = performance.now() - startMs;
    const grownBytes = peakBytes() - startBytes;
    const { counts: after } = await ours.readSummary();
    return { milliseconds, grownBytes, moved: Number(before.failed) - Number(after.failed) };
  } finally {
    await theirs.close();
    await executor.close();
  }
}

const [who = '', port = '', queueName = '', jobs = ''] = process.argv.slice(2);
retryAll(who, Number(port), queueName, Number(jobs)).then(
  (result) => process.send?.(result, () => process.exit(0)),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
