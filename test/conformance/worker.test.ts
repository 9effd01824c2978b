/**
 * The reference's own workers on our scripts: its client sends what it always sends, and our scripts answer in the
 * place of its own. This holds the form of every call from the other end, with arguments that no test of ours built.
 */
import assert from 'node:assert/strict';
import {
  DelayedError,
  FlowProducer,
  type Job,
  type Queue,
  RateLimitError,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import { SCRIPTS } from '../../src/scripts/registry.generated';
import type { Keyspace } from '../support/dump';
import { library } from './support/directCalls';
import { Comparison, type Side } from './support/scenario';

interface Client {
  readonly options: { readonly host?: string; readonly port?: number };
  defineCommand(name: string, definition: { numberOfKeys: number; lua: string }): void;
}

/** Puts our scripts in the place of the reference's, which are commands of its client, by name and release. */
function installOurScripts(client: Client): number {
  const commands = Object.keys(client);
  let installed = 0;
  for (const { name, file, keyCount } of SCRIPTS) {
    const { text } = library.load(file.replace(/\.lua$/, ''));
    for (const command of commands.filter(
      (each) => each.startsWith(`${name}:`) && !each.endsWith('Buffer'),
    )) {
      client.defineCommand(command, { numberOfKeys: keyCount, lua: text });
      installed++;
    }
  }
  return installed;
}

async function prepare(side: Side, owner: Queue | Worker | FlowProducer): Promise<void> {
  if (side.keys.queue !== 'ours') return;
  const installed = installOurScripts((await owner.client) as unknown as Client);
  assert.equal(installed, SCRIPTS.filter((script) => !script.isTool).length);
}

/** Has a worker process jobs until so many are finished for good, and closes it. */
async function work(
  side: Side,
  finishes: number,
  processor: (job: Job, token: string, worker: Worker) => Promise<unknown>,
  options: Partial<WorkerOptions> = {},
): Promise<void> {
  const { host, port } = ((await side.queue.client) as unknown as Client).options;
  const worker: Worker = new Worker(side.keys.queue, (job, token) => processor(job, token ?? '', worker), {
    connection: { host: host ?? '', port: port ?? 0 },
    prefix: side.keys.prefix,
    autorun: false,
    skipStalledCheck: true,
    ...options,
  });
  await worker.waitUntilReady();
  await prepare(side, worker);
  const finished = new Promise<void>((resolve, reject) => {
    let left = finishes;
    const count = () => {
      left--;
      if (left === 0) resolve();
    };
    worker.on('completed', count);
    worker.on('failed', (job) => {
      if (job?.finishedOn) count();
    });
    worker.on('error', reject);
  });
  const running = worker.run();
  try {
    await finished;
  } finally {
    await worker.close();
    await running;
  }
}

/** Keys that say when a worker looked last, that lapse while the test looks, or in which a new minute may begin. */
const PASSING = ['marker', 'limiter', 'metrics:completed', 'metrics:completed:data'].map(
  (key) => `emq:Q:${key}`,
);
/** Whose order is that of the clock, which may stand still between two jobs. */
const BY_CLOCK = ['emq:Q:completed', 'emq:Q:failed'];

/** What does not depend on how fast a worker was. */
const settled = (keyspace: Keyspace) =>
  Object.fromEntries(
    Object.entries(keyspace)
      .filter(([key]) => !PASSING.includes(key))
      .map(([key, { type, value }]) => [
        key,
        { type, value: BY_CLOCK.includes(key) && Array.isArray(value) ? value.map(String).sort() : value },
      ]),
  );

describe("the reference's worker leaves the same on our scripts as on its own", () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  const assertSame = async (scenario: (side: Side) => Promise<void>) => {
    const { ours, theirs } = await both.run(async (side) => {
      await prepare(side, side.queue);
      await scenario(side);
    });
    assert.deepEqual(settled(ours.keyspace), settled(theirs.keyspace));
    assert.ok(Object.keys(ours.keyspace).length > 3, 'the scenario did something');
  };
  /** An error that looks the same wherever it was made. */
  const failure = (message: string) =>
    Object.assign(new Error(message), { stack: `Error: ${message}\n    at job.js:1` });

  it('completing plain, delayed and prioritized jobs', () =>
    assertSame(async (side) => {
      await side.queue.add('a', { n: 1 });
      await side.queue.add('b', { n: 2 }, { priority: 2 });
      await side.queue.add('c', { n: 3 }, { priority: 1 });
      await side.queue.add('d', { n: 4 }, { delay: 1 });
      await work(side, 4, async (job) => ({ was: job.name }), {
        name: 'worker',
        metrics: { maxDataPoints: 5 },
      });
    }));

  it('keeping the last finished jobs', () =>
    assertSame(async (side) => {
      for (let i = 0; i < 4; i++)
        await side.queue.add('a', {}, { removeOnComplete: { count: 2, age: 3600 } });
      await side.queue.add('b', {}, { removeOnComplete: true });
      await work(side, 5, async () => undefined);
    }));

  it('failing: at once, again at once, and after a while', () =>
    assertSame(async (side) => {
      await side.queue.add('once', {});
      await side.queue.add('again', {}, { attempts: 2 });
      await work(side, 2, async () => Promise.reject(failure('boom')));
      await side.queue.add('later', {}, { attempts: 3, backoff: 1 });
      await work(side, 1, async () => Promise.reject(failure('boom')));
    }));

  it('putting a job off', () =>
    assertSame(async (side) => {
      await side.queue.add('a', {});
      await work(side, 1, async (job, token) => {
        if (job.attemptsStarted > 1) return 'done';
        await job.moveToDelayed(Date.now() + 1, token);
        throw new DelayedError();
      });
    }));

  it('giving a job back at a rate limit', () =>
    assertSame(async (side) => {
      await side.queue.add('a', {});
      await work(
        side,
        1,
        async (job, _token, worker) => {
          if (job.attemptsStarted > 1) return 'done';
          await worker.rateLimit(1);
          throw new RateLimitError();
        },
        { limiter: { max: 5, duration: 1 } },
      );
    }));

  it('renewing the lock of a job that runs', () =>
    assertSame(async (side) => {
      await side.queue.add('a', {});
      await work(side, 1, async (job, token) => ({ renewed: await job.extendLock(token, 60000) }));
    }));

  it('a parent and its children', () =>
    assertSame(async (side) => {
      const { host, port } = ((await side.queue.client) as unknown as Client).options;
      const flow = new FlowProducer({
        connection: { host: host ?? '', port: port ?? 0 },
        prefix: side.keys.prefix,
      });
      await prepare(side, flow);
      const queueName = side.keys.queue;
      await flow.add({
        name: 'parent',
        queueName,
        opts: { jobId: 'parent' },
        children: ['one', 'two'].map((jobId) => ({ name: jobId, queueName, opts: { jobId } })),
      });
      await work(side, 3, async (job) => (job.name === 'parent' ? 'all' : job.name));
      await flow.close();
    }));

  it('the last of the jobs that were deduplicated while one ran', () =>
    assertSame(async (side) => {
      const options = { deduplication: { id: 'd', keepLastIfActive: true } };
      await side.queue.add('first', {}, options);
      await work(side, 2, async (job) => {
        if (job.name === 'first') {
          await side.queue.add('dropped', {}, options);
          await side.queue.add('kept', { n: 9 }, options);
        }
        return job.data;
      });
    }));
});
