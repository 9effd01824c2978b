/**
 * Queues that are never idle and never grow: real workers of the reference library take jobs, and once a second every
 * backlog is filled up to its level again. All eight states hold jobs at all times, and this can go on for days.
 *
 * Two kinds of worker misbehave on purpose. One takes imports and neither finishes them nor renews its locks, so that
 * they stall and are recovered; one took exports and is gone, so that nobody recovers them but a person.
 */
import { setMaxListeners } from 'node:events';
import { FlowProducer, type Job, type JobsOptions, Queue, Worker, type WorkerOptions } from 'bullmq';
import { between, type DemoQueue, failLikeReality, MAKERS, pick } from './jobs';

/** The key prefix of the demo's queues. */
export const DEMO_PREFIX = 'emq';

export interface Workload {
  readonly queues: readonly DemoQueue[];
  /** Stops every worker at once, without waiting for its jobs, and closes every connection. */
  stop(): Promise<void>;
}

/** Terminal states keep this many jobs. */
const KEEP: JobsOptions = { removeOnComplete: { count: 400 }, removeOnFail: { count: 120 } };
const TICK_MS = 1000;
/** The address of a receiver that never answers. */
const GONE = 'https://gone.example.com/hooks';

interface WorkerPlan {
  readonly queue: DemoQueue;
  readonly concurrency: number;
  /** How long a job takes, in ms, from and to. */
  readonly workMs: readonly [number, number];
  /** The share of attempts that fail. */
  readonly failureRate: number;
}

const WORKERS: readonly WorkerPlan[] = [
  { queue: 'emails', concurrency: 3, workMs: [200, 1200], failureRate: 0.15 },
  { queue: 'images', concurrency: 4, workMs: [1500, 4000], failureRate: 0.1 },
  { queue: 'payments', concurrency: 2, workMs: [600, 2500], failureRate: 0.2 },
  { queue: 'webhooks', concurrency: 3, workMs: [300, 1500], failureRate: 0.35 },
  { queue: 'reports', concurrency: 2, workMs: [6000, 15000], failureRate: 0.2 },
  { queue: 'orders', concurrency: 1, workMs: [500, 1500], failureRate: 0 },
];

/** Starts the queues on a Redis. Resolves when every state holds its first jobs, but for the finished ones. */
export async function startWorkload(redis: { host: string; port: number }): Promise<Workload> {
  const connection = { host: redis.host, port: redis.port, maxRetriesPerRequest: null };
  const shared = { connection, prefix: DEMO_PREFIX };
  const names = Object.keys(MAKERS) as DemoQueue[];
  const queues = new Map(
    names.map((name) => [name, new Queue(name, { ...shared, streams: { events: { maxLen: 1000 } } })]),
  );
  const flow = new FlowProducer(shared);
  const workers: Worker[] = [];
  const stopping = new AbortController();
  // Every job that is being worked on listens.
  setMaxListeners(100, stopping.signal);

  const queueOf = (name: DemoQueue): Queue => {
    const queue = queues.get(name);
    if (!queue) throw new Error(`The demo has no queue "${name}".`);
    return queue;
  };
  const add = async (name: DemoQueue, count: number, options: () => JobsOptions = () => ({})) => {
    if (count <= 0) return;
    const jobs = Array.from({ length: count }, () => ({
      ...MAKERS[name](),
      opts: { ...KEEP, ...options() },
    }));
    await queueOf(name).addBulk(jobs);
  };
  const startWorker = (name: DemoQueue, processor: ((job: Job) => Promise<unknown>) | null, own: object) => {
    const options: WorkerOptions = { ...shared, ...own };
    const worker = new Worker(name, processor, options);
    // Locks are lost here on purpose, and at the end connections are cut: neither is news.
    worker.on('error', () => {});
    workers.push(worker);
    return worker;
  };

  const fill = async () => {
    await Promise.all([
      fillWaiting(queueOf, add),
      fillDelayed(queueOf, add),
      fillFlows(queueOf('orders'), flow),
      queueOf('images')
        .getPrioritizedCount()
        .then((n) => add('images', 30 - n, () => ({ priority: pick([1, 2, 5, 10, 100]) }))),
      queueOf('newsletters')
        .getJobCountByTypes('paused')
        .then((n) => add('newsletters', 24 - n)),
    ]);
  };

  await queueOf('newsletters').pause();
  await fill();
  for (const plan of WORKERS) {
    startWorker(plan.queue, (job) => work(job, plan, stopping.signal), { concurrency: plan.concurrency });
  }
  // This one watches over the imports that the next one drops.
  startWorker(
    'imports',
    (job) =>
      work(
        job,
        { queue: 'imports', concurrency: 1, workMs: [3000, 6000], failureRate: 0.1 },
        stopping.signal,
      ),
    {
      ...{ concurrency: 1, stalledInterval: 4000, maxStalledCount: 2 },
    },
  );
  const dropping = startWorker('imports', null, { lockDuration: 3000, skipStalledCheck: true });
  const crashed = startWorker('exports', null, { lockDuration: 2000, skipStalledCheck: true });

  const misbehave = async () => {
    await dropping.getNextJob('worker-that-freezes', { block: false });
    const held = await queueOf('exports').getActiveCount();
    // A receiver that is gone for good, at the head of the line: failures keep coming, whatever chance does.
    const gone = { url: GONE, event: 'order.cancelled' };
    await queueOf('webhooks').add('order.cancelled', gone, { ...KEEP, lifo: true });
    if (held < 3) await crashed.getNextJob('worker-that-crashed', { block: false });
  };
  const loop = async () => {
    for (let tick = 0; !stopping.signal.aborted; tick += 1) {
      await fill();
      if (tick % 3 === 0) await misbehave();
      await pause(TICK_MS, stopping.signal);
    }
  };
  await misbehave();
  const looping = loop().catch((error) => {
    // Once the end has begun, cut connections are expected.
    if (!stopping.signal.aborted) throw error;
  });

  return {
    queues: names,
    async stop() {
      stopping.abort();
      await looping;
      await Promise.allSettled(workers.map((worker) => worker.close(true)));
      await Promise.allSettled([flow.close(), ...[...queues.values()].map((queue) => queue.close())]);
    },
  };
}

type Add = (name: DemoQueue, count: number, options?: () => JobsOptions) => Promise<void>;
type QueueOf = (name: DemoQueue) => Queue;

async function fillWaiting(queueOf: QueueOf, add: Add): Promise<void> {
  const levels: readonly [DemoQueue, number, JobsOptions][] = [
    ['emails', 40, { attempts: 3, backoff: { type: 'exponential', delay: 4000 } }],
    ['payments', 12, { attempts: 2, backoff: { type: 'fixed', delay: 8000 } }],
    ['webhooks', 15, { attempts: 4, backoff: { type: 'exponential', delay: 3000 } }],
    ['reports', 6, {}],
    ['imports', 8, {}],
    ['exports', 10, {}],
  ];
  for (const [name, level, options] of levels) {
    const waiting = await queueOf(name).getWaitingCount();
    await add(name, level - waiting, () => options);
  }
}

async function fillDelayed(queueOf: QueueOf, add: Add): Promise<void> {
  const emails = await queueOf('emails').getDelayedCount();
  await add('emails', 12 - emails, () => ({ delay: between(20, 900) * 1000 }));
  const reports = await queueOf('reports').getDelayedCount();
  await add('reports', 8 - reports, () => ({ delay: between(1, 48) * 3_600_000 }));
}

/** Orders wait for a picture and a payment of theirs, which stand in their queues like any other job. */
async function fillFlows(orders: Queue, flow: FlowProducer): Promise<void> {
  const waiting = await orders.getWaitingChildrenCount();
  for (let i = waiting; i < 8; i += 1) {
    // Without these two options a child's failure would leave its parent waiting for ever.
    const children = [
      { queueName: 'images', ...MAKERS.images(), opts: { ...KEEP, ignoreDependencyOnFailure: true } },
      { queueName: 'payments', ...MAKERS.payments(), opts: { ...KEEP, failParentOnFailure: true } },
    ];
    await flow.add({ queueName: 'orders', ...MAKERS.orders(), opts: KEEP, children });
  }
}

async function work(job: Job, plan: WorkerPlan, signal: AbortSignal): Promise<unknown> {
  const workMs = between(...plan.workMs);
  await job.log(`started ${job.name}, attempt ${job.attemptsMade + 1}`);
  const steps = 4;
  for (let step = 1; step <= steps; step += 1) {
    await pause(workMs / steps, signal);
    await job.updateProgress((step * 100) / steps);
    const fails = job.data.url === GONE || Math.random() < plan.failureRate;
    if (step === 2 && fails) failLikeReality(plan.queue, job.data);
  }
  await job.log(`done in ${workMs} ms`);
  return { ok: true, tookMs: workMs };
}

/** Waits, but not past the end of the demo. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
