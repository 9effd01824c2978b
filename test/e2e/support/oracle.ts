/**
 * Queues made by the reference library, with workers that are really working: their jobs are held until the test lets
 * go, so that what the tree shows can be compared with what Redis holds.
 */
import { type ConnectionOptions, FlowProducer, type Job, type JobsOptions, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Keys } from '../../../src/keys/keys';
import { type JobState, STATES } from '../../../src/keys/states';
import type { RedisServer } from '../../support/redisServer';

export const PREFIX = 'emq';

export class Oracle {
  /** For looking into Redis afterwards. */
  readonly redis: Redis;
  private readonly connection: ConnectionOptions;
  private readonly queues = new Map<string, Queue>();
  private readonly workers: Worker[] = [];
  private readonly held: (() => void)[] = [];
  private isHolding = true;

  constructor(server: RedisServer, password?: string) {
    const access = { maxRetriesPerRequest: null, ...(password && { password }) };
    this.redis = new Redis(server.port, access);
    this.redis.on('error', () => {});
    this.connection = { host: server.host, port: server.port, ...access };
  }

  keys = (queue: string) => new Keys(PREFIX, queue);

  queue(name: string): Queue {
    const existing = this.queues.get(name);
    if (existing) return existing;
    const queue = new Queue(name, { connection: this.connection, prefix: PREFIX });
    // A test may stop Redis under the queue.
    queue.on('error', () => {});
    this.queues.set(name, queue);
    return queue;
  }

  add = (queue: string, name: string, data: unknown, options: JobsOptions = {}) =>
    this.queue(queue).add(name, data, options);

  /** A parent that waits for a delayed child in another queue. */
  async addFlow(parentQueue: string, childQueue: string): Promise<void> {
    const flow = new FlowProducer({ connection: this.connection, prefix: PREFIX });
    const children = [{ name: 'child', queueName: childQueue, data: {}, opts: { delay: 3_600_000 } }];
    await flow.add({ name: 'parent', queueName: parentQueue, data: {}, children });
    await flow.close();
  }

  /** A worker that fails every job with an error of its own. */
  async failJobs(queue: string): Promise<void> {
    const worker = this.startWorker(queue, async (job) => {
      throw new Error(`${job.name} did not work`);
    });
    await this.waitUntilIdle(queue);
    await worker.close();
  }

  /** A worker that completes every job. */
  async completeJobs(queue: string): Promise<void> {
    const worker = this.startWorker(queue, async () => ({ ok: true }));
    await this.waitUntilIdle(queue);
    await worker.close();
  }

  /** A worker that takes a number of jobs and works on them until {@link letGo}. Resolves when it has them. */
  async holdJobs(queue: string, count: number): Promise<void> {
    const taken = new Promise<void>((resolve) => {
      let left = count;
      const hold = (_job: Job) => {
        left -= 1;
        if (left === 0) resolve();
        return this.isHolding ? new Promise<void>((release) => this.held.push(release)) : Promise.resolve();
      };
      this.startWorker(queue, hold, count);
    });
    await taken;
  }

  /** Takes one job the way a worker does and never comes back: soon it is active without a lock. Returns its id. */
  async loseJob(queue: string): Promise<string> {
    const options = {
      connection: this.connection,
      prefix: PREFIX,
      lockDuration: 200,
      skipStalledCheck: true,
    };
    const worker = new Worker(queue, null, options);
    worker.on('error', () => {});
    const job = await worker.getNextJob('a-worker-that-is-gone', { block: false });
    await worker.close(true);
    if (!job?.id) throw new Error(`There was no job to take in ${queue}.`);
    const lock = this.keys(queue).lock(job.id);
    while (await this.redis.exists(lock)) await new Promise((resolve) => setTimeout(resolve, 20));
    return job.id;
  }

  /** What LLEN and ZCARD say. */
  async count(queue: string): Promise<Record<JobState, number>> {
    const keys = this.keys(queue);
    const counts = STATES.map(async ({ state, type }) => {
      const key = keys.state(state);
      return [state, await (type === 'list' ? this.redis.llen(key) : this.redis.zcard(key))] as const;
    });
    return Object.fromEntries(await Promise.all(counts)) as Record<JobState, number>;
  }

  /** Lets the held jobs complete, and those that the workers take from now on. */
  letGo(): void {
    this.isHolding = false;
    for (const release of this.held.splice(0)) release();
  }

  async close(): Promise<void> {
    this.letGo();
    await Promise.allSettled(this.workers.map((worker) => worker.close(true)));
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
    this.redis.disconnect();
  }

  private startWorker(queue: string, processor: (job: Job) => Promise<unknown>, concurrency = 1): Worker {
    const options = { connection: this.connection, prefix: PREFIX, concurrency, skipStalledCheck: true };
    const worker = new Worker(queue, processor, options);
    worker.on('error', () => {});
    this.workers.push(worker);
    return worker;
  }

  private async waitUntilIdle(queue: string): Promise<void> {
    for (;;) {
      const { wait, active, prioritized } = await this.count(queue);
      if (wait + active + prioritized === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
