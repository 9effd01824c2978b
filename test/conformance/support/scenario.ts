/**
 * Runs a scenario twice on one Redis: once with the reference's operations, once with ours, each on a queue of its
 * own. What a scenario arranges around the operations (workers that fetch, finish and fail; pausing; keys of an
 * older release) is done by the same hands on both queues.
 */
import assert from 'node:assert/strict';
import { type Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Keys } from '../../../src/keys/keys';
import type { ScriptId } from '../../../src/scripts/registry.generated';
import {
  assertSameKeyspace,
  dumpKeyspace,
  type Keyspace,
  type Normalisation,
  normaliseKeyspace,
  normaliseValue,
} from '../../support/dump';
import { type RedisServer, startRedis } from '../../support/redisServer';
import type { AddOptions, Operations, Outcome, RetryOptions, ScriptArgument } from './operations';
import { OracleOperations } from './oracle';
import { OurOperations } from './ours';

const PREFIX = 'emq';
export const TOKEN = 'token-of-the-test';

/** One queue, the operations under test on it, and the hands that arrange its surroundings. */
export class Side {
  readonly outcomes: Outcome[] = [];
  private readonly queues: Queue[] = [];
  private readonly workers: Worker[] = [];

  constructor(
    readonly keys: Keys,
    readonly redis: Redis,
    readonly queue: Queue,
    private readonly operations: Operations,
    private readonly server: RedisServer,
  ) {}

  /** Adds a job with the operation under test, and remembers the outcome. */
  add = (options: AddOptions, data: unknown = { n: 1 }, name = 'job') =>
    this.note(this.operations.add(name, data, options));
  retry = (id: string, state: 'failed' | 'completed', options?: RetryOptions) =>
    this.note(this.operations.retry(id, state, options));
  promote = (id: string) => this.note(this.operations.promote(id));
  recoverStalled = (maxStalls: number, throttleMs = 30000) =>
    this.note(this.operations.recoverStalled(maxStalls, throttleMs));

  forceRecovery = (ids: readonly string[], maxStalls: number) =>
    this.note(this.operations.forceRecovery(ids, maxStalls));

  /** Calls a script of the protocol, and remembers what `read` makes of its reply, or the error. */
  call = (
    script: ScriptId,
    keys: readonly string[],
    args: readonly ScriptArgument[],
    read: (reply: unknown) => unknown = (reply) => reply,
  ) =>
    this.note(
      this.operations
        .call(script, keys, args)
        .then((outcome) => ('value' in outcome ? { value: read(outcome.value) } : outcome)),
    );

  private async note(outcome: Promise<Outcome>): Promise<Outcome> {
    const settled = await outcome;
    this.outcomes.push(settled);
    return settled;
  }

  /** Lets the throttle of the stalled pass lapse. */
  lapseThrottle = () => this.redis.del(this.keys.stalledCheck());

  /** A further queue, whose name starts with this one's, so that it is dumped along. */
  async openQueue(ending: string): Promise<Queue> {
    const queue = new Queue(`${this.keys.queue}${ending}`, this.options());
    this.queues.push(queue);
    await queue.waitUntilReady();
    return queue;
  }

  /** Has a worker take the next job, with a lock. */
  async fetch(): Promise<Job> {
    let worker = this.workers[0];
    if (!worker) {
      worker = new Worker(this.keys.queue, null, {
        ...this.options(),
        autorun: false,
        skipStalledCheck: true,
      });
      this.workers.push(worker);
      await worker.waitUntilReady();
    }
    const job = (await worker.getNextJob(TOKEN, { block: false })) as Job | undefined;
    assert.ok(job, 'there is a job to fetch');
    return job;
  }

  async complete(job: Job, value: unknown = { ok: true }): Promise<void> {
    await job.moveToCompleted(value, TOKEN, false);
  }

  async fail(job: Job): Promise<void> {
    const error = new Error('boom');
    error.stack = 'Error: boom\n    at job (job.js:1:1)';
    await job.moveToFailed(error, TOKEN, false);
  }

  /** What a worker that died leaves behind: the job is active, and the lock has lapsed. */
  async loseLock(job: Job): Promise<void> {
    await this.redis.del(this.keys.lock(job.id ?? ''));
  }

  async close(): Promise<void> {
    for (const worker of this.workers) await worker.close(true);
    for (const queue of [this.queue, ...this.queues]) await queue.close();
    await this.operations.close();
  }

  private options() {
    return { connection: { host: this.server.host, port: this.server.port }, prefix: PREFIX };
  }
}

/** What a call of a script takes of a side. */
export type Caller = Pick<Side, 'keys' | 'call'>;

export type Scenario = (side: Side) => Promise<void>;

/** What a scenario left on one side, normalised. */
export interface Result {
  readonly keyspace: Keyspace;
  readonly outcomes: readonly unknown[];
}

/** A Redis and the two sides on it. One of these serves a whole file of scenarios. */
export class Comparison {
  private constructor(
    private readonly server: RedisServer,
    readonly redis: Redis,
  ) {}

  static async start(): Promise<Comparison> {
    // Streams are trimmed by whole nodes. Counted in entries alone, nodes do not depend on how much time passed.
    const server = await startRedis(['--stream-node-max-bytes', '0']);
    return new Comparison(server, new Redis(server.port, server.host));
  }

  async stop(): Promise<void> {
    await this.redis.quit();
    await this.server.stop();
  }

  /** Runs a scenario on both sides, on an empty Redis, and gives what it left. */
  async run(scenario: Scenario): Promise<{ ours: Result; theirs: Result }> {
    await this.redis.flushall();
    const theirs = await this.runOn('theirs', scenario);
    const ours = await this.runOn('ours', scenario);
    return { ours, theirs };
  }

  /** Runs a scenario on both sides and holds everything it left, and every outcome, against each other. */
  async assertSame(scenario: Scenario): Promise<void> {
    const { ours, theirs } = await this.run(scenario);
    assert.deepEqual(ours.outcomes, theirs.outcomes);
    assertSameKeyspace(ours.keyspace, theirs.keyspace);
  }

  private async runOn(name: 'ours' | 'theirs', scenario: Scenario): Promise<Result> {
    const startMs = Date.now();
    const keys = new Keys(PREFIX, name);
    const connection = { host: this.server.host, port: this.server.port };
    const queue = new Queue(name, { connection, prefix: PREFIX });
    await queue.waitUntilReady();
    const operations =
      name === 'ours'
        ? new OurOperations(this.redis, keys, connection)
        : new OracleOperations(queue, connection, PREFIX);
    const side = new Side(keys, this.redis, queue, operations, this.server);
    try {
      await scenario(side);
      const how: Normalisation = {
        replace: keys.queueKey,
        with: `${PREFIX}:Q`,
        clockMs: [startMs, Date.now()],
      };
      const keyspace = await dumpKeyspace(this.redis, keys.queueKey);
      return {
        keyspace: normaliseKeyspace(keyspace, how),
        outcomes: side.outcomes.map((outcome) => normaliseValue(outcome, how)),
      };
    } finally {
      await side.close();
    }
  }
}
