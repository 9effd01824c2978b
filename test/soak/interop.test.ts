/**
 * Our queue and the reference's workers on the same jobs, both ways: what one side adds, the other moves, and every job
 * goes through the same events as when the reference does all of it.
 */
import assert from 'node:assert/strict';
import { setTimeout as pass } from 'node:timers/promises';
import { DelayedError, type Job, Queue as OracleQueue, Worker } from 'bullmq';
import type { Executor } from '../../src/executor/types';
import { Keys } from '../../src/keys/keys';
import { Queue } from '../../src/queue/queue';
import type { Caller } from '../conformance/support/scenario';
import { delayActiveJob, fetchJob, finishJob, retryActiveJob } from '../conformance/support/workerCalls';
import { openStage, type Stage } from '../redis/support/stage';
import { SIZED_TIMEOUT_MS, sized } from '../support/size';

const PREFIX = 'emq';
const JOBS = sized(200, 3000);
const CONCURRENCY = 10;
const PUT_OFF_MS = 5;

/** What a job is and what becomes of it. */
interface Plan {
  readonly delayMs?: number;
  readonly priority?: number;
  readonly attempts?: number;
  readonly backoffMs?: number;
  readonly data: { readonly failures: number; readonly isPutOff: boolean };
}

const plan = (failures = 0, rest: Omit<Plan, 'data'> = {}, isPutOff = false): Plan => ({
  ...rest,
  data: { failures, isPutOff },
});

/** Every kind of life in turn. */
function planJob(n: number): Plan {
  const delayMs = 1 + (n % 60);
  const priority = 1 + (n % 5);
  const kinds = [
    plan(),
    plan(0, { delayMs }),
    plan(0, { priority }),
    plan(2, { attempts: 3 }),
    plan(9, { attempts: 2 }),
    plan(1),
    plan(1, { attempts: 3, delayMs, priority }),
    plan(0, { attempts: 2 }, true),
    plan(1, { attempts: 2, priority }, true),
  ];
  return kinds[n % kinds.length] ?? plan();
}

/** The same, every third job with a backoff between its attempts; only the reference offers that. */
const planWithBackoff = (n: number): Plan =>
  n % 3 === 0 ? { ...plan(2, { attempts: 3, backoffMs: 4 }) } : planJob(n);

const jobs = (planOf: (n: number) => Plan) => Array.from({ length: JOBS }, (_, n) => planOf(n));

describe('jobs that one side adds and the other moves', function () {
  this.timeout(SIZED_TIMEOUT_MS);
  let stage: Stage;
  let executor: Executor;
  const queues: OracleQueue[] = [];

  before(async () => {
    stage = await openStage();
    executor = stage.connect();
  });
  after(async () => {
    for (const queue of queues) await queue.close();
    await stage.close();
  });

  async function openReference(name: string): Promise<OracleQueue> {
    const connection = { host: stage.server.host, port: stage.server.port };
    // Nothing is trimmed: every event counts.
    const options = { connection, prefix: PREFIX, streams: { events: { maxLen: 1_000_000 } } };
    const queue = new OracleQueue(name, options);
    queues.push(queue);
    await queue.waitUntilReady();
    return queue;
  }

  async function addByOurs(name: string, plans: readonly Plan[]): Promise<void> {
    await openReference(name);
    const queue = new Queue(executor, { prefix: PREFIX, queue: name });
    for (const { data, backoffMs: _, ...options } of plans) {
      await queue.addJob({ name: 'job', data: JSON.stringify(data), ...options });
    }
  }

  async function addByReference(name: string, plans: readonly Plan[]): Promise<void> {
    const queue = await openReference(name);
    for (const { data, delayMs, backoffMs, ...options } of plans) {
      await queue.add('job', data, {
        ...options,
        ...(delayMs !== undefined && { delay: delayMs }),
        ...(backoffMs !== undefined && { backoff: backoffMs }),
      });
    }
  }

  /** The reference's worker, until every job is finished for good. */
  async function workByReference(name: string): Promise<void> {
    const process = async (job: Job, token?: string) => {
      const { failures, isPutOff } = job.data as Plan['data'];
      if (isPutOff && job.attemptsStarted === 1) {
        await job.moveToDelayed(Date.now() + PUT_OFF_MS, token);
        throw new DelayedError();
      }
      if (job.attemptsMade < failures) throw new Error('boom');
      return { ok: true };
    };
    const worker = new Worker(name, process, {
      connection: { host: stage.server.host, port: stage.server.port },
      prefix: PREFIX,
      concurrency: CONCURRENCY,
      autorun: false,
    });
    await worker.waitUntilReady();
    let left = JOBS;
    const finished = new Promise<void>((resolve, reject) => {
      const count = () => {
        left -= 1;
        if (left === 0) resolve();
      };
      worker.on('completed', count);
      worker.on('failed', (job) => {
        if (job?.finishedOn) count();
      });
      worker.on('error', reject);
    });
    const running = worker.run();
    await finished;
    await worker.close();
    await running;
  }

  /** A worker made of our scripts, one job at a time, until nothing is left to do. */
  async function workByOurs(name: string): Promise<void> {
    const keys = new Keys(PREFIX, name);
    const side: Caller = {
      keys,
      call: async (script, names, args, read = (reply) => reply) => ({
        value: read(await executor.run({ script, keys: names, args, queueKey: keys.queueKey })),
      }),
    };
    let fetched = readFetched(await fetchJob(side, { timestamp: Date.now() }));
    for (;;) {
      if (fetched?.id !== undefined) fetched = await workOn(side, fetched.id, fetched.hash);
      else if (fetched?.dueMs) await pass(Math.max(fetched.dueMs - Date.now(), 0));
      else return;
      if (fetched?.id === undefined) fetched = readFetched(await fetchJob(side, { timestamp: Date.now() }));
    }
  }

  /** Does what the plan of a job says, and gives what was fetched next, if anything was. */
  async function workOn(side: Caller, id: string, hash: Readonly<Record<string, string>>) {
    const timestamp = Date.now();
    const { failures, isPutOff } = JSON.parse(hash.data ?? '{}') as Plan['data'];
    const { attempts, backoff } = JSON.parse(hash.opts ?? '{}') as {
      attempts: number;
      backoff?: { delay: number };
    };
    const [started, made] = [Number(hash.ats ?? 0), Number(hash.atm ?? 0)];
    if (isPutOff && started === 1) {
      await delayActiveJob(side, id, { timestamp, delay: PUT_OFF_MS, skip: true });
      return undefined;
    }
    const finish = { timestamp, attempts, fetchNext: true };
    if (made >= failures) return readFetched(await finishJob(side, id, finish));
    const fields = ['failedReason', 'boom', 'stacktrace', '["Error: boom"]'];
    if (made + 1 >= attempts)
      return readFetched(await finishJob(side, id, { ...finish, target: 'failed', fields }));
    if (backoff) await delayActiveJob(side, id, { timestamp, delay: backoff.delay, fields });
    else await retryActiveJob(side, id, { timestamp, fields });
    return undefined;
  }

  /** What each job went through, and what is left of it. */
  async function readLives(name: string): Promise<Record<string, string[]>> {
    const keys = new Keys(PREFIX, name);
    const lives: Record<string, string[]> = {};
    for (const [, flat] of await stage.admin.xrange(keys.events(), '-', '+')) {
      const fields = Object.fromEntries(
        flat.flatMap((field, i) => (i % 2 === 0 ? [[field, flat[i + 1]]] : [])),
      );
      const { event, jobId, prev, attemptsMade } = fields;
      if (jobId === undefined) continue;
      lives[jobId] ??= [];
      lives[jobId].push([event, prev, attemptsMade].filter((part) => part !== undefined).join(' '));
    }
    for (const [id, life] of Object.entries(lives)) {
      const left = await stage.admin.hmget(
        keys.job(id),
        'atm',
        'ats',
        'returnvalue',
        'failedReason',
        'priority',
      );
      const place = [];
      for (const state of ['completed', 'failed'] as const) {
        if ((await stage.admin.zscore(keys.state(state), id)) !== null) place.push(state);
      }
      life.push(`left ${JSON.stringify(left)} in ${place.join()}`);
    }
    return lives;
  }

  it('are the same to the reference whether we added them or it did', async () => {
    const plans = jobs(planJob);
    await addByOurs('added-by-ours', plans);
    await addByReference('added-by-reference', plans);
    await Promise.all([workByReference('added-by-ours'), workByReference('added-by-reference')]);
    const lives = await readLives('added-by-ours');
    assert.equal(Object.keys(lives).length, JOBS);
    assert.deepEqual(lives, await readLives('added-by-reference'));
  });

  it('go through the same whether our scripts move them or the reference does', async () => {
    const plans = jobs(planWithBackoff);
    await addByReference('moved-by-ours', plans);
    await addByReference('moved-by-reference', plans);
    await Promise.all([workByOurs('moved-by-ours'), workByReference('moved-by-reference')]);
    const lives = await readLives('moved-by-ours');
    assert.equal(Object.keys(lives).length, JOBS);
    assert.deepEqual(lives, await readLives('moved-by-reference'));
  });
});

interface Fetched {
  readonly id?: string;
  readonly hash: Readonly<Record<string, string>>;
  readonly dueMs: number;
}

/** What a fetch came to, alone or after a finish; `undefined` when there is nothing at all. */
function readFetched(outcome: Awaited<ReturnType<Caller['call']>>): Fetched | undefined {
  const reply = 'value' in outcome ? outcome.value : undefined;
  if (typeof reply === 'number') assert.equal(reply, 0, 'the script refused');
  if (!Array.isArray(reply)) return undefined;
  const [hash, id, , dueMs] = reply;
  if (id === 0) return { hash: {}, dueMs: Number(dueMs) };
  return { id: String(id), hash: hash as Record<string, string>, dueMs: 0 };
}
