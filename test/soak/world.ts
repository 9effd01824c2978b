/** The queue as it is: operations go through our layers to a real Redis, and everything in it is read back. */
import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { InputError, ScriptRefusal } from '../../src/base/errors';
import type { Executor } from '../../src/executor/types';
import { Keys, parseKey } from '../../src/keys/keys';
import { type JobState, STATES } from '../../src/keys/states';
import { Queue } from '../../src/queue/queue';
import { clean, drain, moveJobsToWait } from '../conformance/support/managementCalls';
import type { Caller } from '../conformance/support/scenario';
import {
  delayActiveJob,
  extendLock,
  fetchJob,
  finishJob,
  giveBackJob,
  retryActiveJob,
} from '../conformance/support/workerCalls';
import {
  choose,
  chooseMany,
  findState,
  inOrder,
  type Model,
  meantFor,
  type Outcome,
  OWNER,
  STRANGER,
} from './model';
import type { Operation } from './operations';

/** Longer than any test: locks go when the model says so. */
const LOCK_MS = 3_600_000;
/** The throttle of the stalled pass is not the model's affair; it is taken away before each pass. */
const THROTTLE_MS = 60_000;

/** What an operation came to, and what a pass recovered, in the order in which Redis did it. */
export interface Done {
  readonly outcome: Outcome;
  readonly recovered: readonly string[];
}

/** Everything about a queue that the model knows, in the form in which the two are compared. */
export interface Snapshot {
  readonly isPaused: boolean;
  /** Ids in order; those of sets with their score. */
  readonly states: Readonly<Record<string, readonly string[]>>;
  /** Started, made, stalls, priority, and the lock. */
  readonly jobs: Readonly<Record<string, string>>;
  readonly marked: readonly string[];
}

export class World {
  readonly keys: Keys;
  readonly queue: Queue;
  readonly #caller: Caller;

  constructor(
    private readonly admin: Redis,
    readonly executor: Executor,
    queue: string,
    private readonly readClock: () => number,
  ) {
    this.keys = new Keys('emq', queue);
    this.queue = new Queue(executor, this.keys, { clock: readClock });
    this.#caller = {
      keys: this.keys,
      call: async (script, keys, args, read = (reply) => reply) => ({
        value: read(await executor.run({ script, keys, args, queueKey: this.keys.queueKey })),
      }),
    };
  }

  /** Does an operation on the job that it means by the model. Rejects when the connection fails. */
  async run(model: Model, operation: Operation): Promise<Done> {
    try {
      return await this.#run(model, operation);
    } catch (error) {
      if (ScriptRefusal.is(error)) return { outcome: `refused ${error.code}`, recovered: [] };
      if (InputError.is(error)) return { outcome: 'invalid', recovered: [] };
      throw error;
    }
  }

  async #run(model: Model, operation: Operation): Promise<Done> {
    const { queue, keys } = this;
    const side = this.#caller;
    const timestamp = this.readClock();
    const id = 'job' in operation ? choose(model, operation.job, meantFor(operation.kind)) : '';
    const token = 'isOwner' in operation && !operation.isOwner ? STRANGER : OWNER;
    const done = (outcome: Outcome, recovered: readonly string[] = []): Done => ({ outcome, recovered });
    const called = async (outcome: ReturnType<Caller['call']>) => {
      const settled = await outcome;
      return done(describeReply('value' in settled ? settled.value : settled));
    };

    switch (operation.kind) {
      case 'add': {
        const { delayMs, priority, customId } = operation;
        const job = { name: 'job', data: '{"n":1}', delayMs, priority };
        const added = await queue.addJob(customId === undefined ? job : { ...job, jobId: customId });
        return done(`${added.outcome} ${added.id}`);
      }
      case 'fetch':
        return called(fetchJob(side, { timestamp, token, lockDuration: LOCK_MS }));
      case 'finish': {
        const { target, keep, fetchNext } = operation;
        const keepJobs = { count: keep };
        const finish = { timestamp, token, lockDuration: LOCK_MS, target, keepJobs, fetchNext };
        return called(finishJob(side, id, finish));
      }
      case 'delayActive':
        return called(
          delayActiveJob(side, id, {
            timestamp,
            token,
            delay: operation.delayMs,
            skip: operation.skipAttempt,
          }),
        );
      case 'retryActive':
        return called(retryActiveJob(side, id, { timestamp, token, lifo: operation.lifo }));
      case 'giveBack':
        return called(giveBackJob(side, id, token));
      case 'extendLock':
        return done(
          (await called(extendLock(side, id, token, LOCK_MS))).outcome === 'again' ? 'ok' : 'refused 0',
        );
      case 'loseLock':
        await this.admin.del(keys.lock(id));
        return done('ok');
      case 'stalledPass': {
        await this.admin.del(keys.stalledCheck());
        const settled = await side.call(
          'moveStalledJobsToWait-8',
          [
            keys.stalled(),
            keys.wait(),
            keys.active(),
            keys.stalledCheck(),
            keys.meta(),
            keys.paused(),
            keys.marker(),
            keys.events(),
          ],
          [1, keys.base, timestamp, THROTTLE_MS],
        );
        const recovered = 'value' in settled && Array.isArray(settled.value) ? settled.value.map(String) : [];
        return done(`recovered ${[...recovered].sort().join()}`, recovered);
      }
      case 'recover': {
        const ids = operation.jobs.map((pick) => choose(model, pick, ['active']));
        const { recovered } = await queue.recoverStalled(ids, 1);
        return done(`recovered ${[...recovered].sort().join()}`, recovered);
      }
      case 'retry':
        await queue.retryJob(id, findState(model, id) ?? 'failed', {
          resetAttempts: operation.resetAttempts,
        });
        return done('ok');
      case 'promote':
        await queue.promoteJob(id);
        return done('ok');
      case 'changeDelay':
        await queue.changeDelay(id, operation.delayMs);
        return done('ok');
      case 'changePriority': {
        const { priority, isFirst } = operation;
        await queue.changePriority(id, findState(model, id) ?? 'wait', priority, { isFirst });
        return done('ok');
      }
      case 'remove':
        await queue.removeJob(id);
        return done('ok');
      case 'moveMany':
        return called(moveJobsToWait(side, operation.state, { count: operation.count }));
      case 'drain':
        return called(drain(side, { delayed: operation.withDelayed }));
      case 'clean': {
        const latest = timestamp - operation.graceMs;
        const settled = await clean(side, operation.state, { latest, limit: operation.limit });
        return done(`removed ${'value' in settled ? String(settled.value) : ''}`);
      }
      case 'bulk': {
        const ids = chooseMany(model, operation);
        const report = await (operation.what === 'retry'
          ? queue.retryJobs(ids, 'failed')
          : operation.what === 'promote'
            ? queue.promoteJobs(ids)
            : queue.removeJobs(ids));
        assert.equal(report.failed.length, 0);
        assert.equal(report.done.length + report.skipped.length, ids.length);
        return done(`done ${report.done.join()}`);
      }
      case 'resetStalls':
        await queue.resetStallCount(id, model.jobs[id]?.stalls || undefined);
        return done('ok');
      case 'pause':
        await queue.pause();
        return done('ok');
      case 'resume':
        await queue.resume();
        return done('ok');
      case 'letTimePass':
        return done('ok');
    }
  }

  /** Everything that is in Redis. Fails on a key that does not belong to a queue or its jobs. */
  async look(): Promise<Snapshot> {
    const { admin, keys } = this;
    const found = (await admin.keys(`${keys.base}*`)).map((key) => parseKey(keys.prefix, key));
    const ids: string[] = [];
    const locked: string[] = [];
    for (const key of found) {
      if (key?.kind === 'queue') continue;
      assert.ok(
        key?.kind === 'job' && (!key.subkey || key.subkey === 'lock'),
        `${JSON.stringify(key)} was left`,
      );
      (key.subkey ? locked : ids).push(key.jobId);
    }
    for (const id of locked) assert.ok(ids.includes(id), `the lock of ${id} outlived its job`);
    const pipeline = admin.pipeline();
    for (const { state, type } of STATES) {
      if (type === 'list') pipeline.lrange(keys.state(state), 0, -1);
      else pipeline.zrange(keys.state(state), 0, '-1', 'WITHSCORES');
    }
    pipeline.hexists(keys.meta(), 'paused').smembers(keys.stalled());
    for (const id of ids) pipeline.hmget(keys.job(id), 'ats', 'atm', 'stc', 'priority').get(keys.lock(id));
    const replies = ((await pipeline.exec()) ?? []).map(([error, reply]) => {
      if (error) throw error;
      return reply;
    });
    const perJob = replies.slice(STATES.length + 2);
    const describe = (id: string, i: number): [string, string] => {
      const [ats, atm, stc, priority] = (perJob[2 * i] as (string | null)[]).map(Number);
      return [id, describeJob(ats, atm, stc, priority, perJob[2 * i + 1] as string | null)];
    };
    return {
      states: Object.fromEntries(
        STATES.map(({ state, type }, i) => [state, describeEntries(type, replies[i] as string[])]),
      ),
      isPaused: replies[STATES.length] === 1,
      marked: [...(replies[STATES.length + 1] as string[])].sort(),
      jobs: Object.fromEntries(ids.map(describe)),
    };
  }

  /** The counts as the tree shows them, and whether the queue is paused. */
  async count(): Promise<
    Pick<Snapshot, 'isPaused'> & { readonly counts: Readonly<Record<JobState, unknown>> }
  > {
    const { counts, isPaused } = await this.queue.readSummary();
    return { counts, isPaused: isPaused === true };
  }
}

const describeJob = (started = 0, made = 0, stalls = 0, priority = 0, lock?: string | null) =>
  `started ${started}, made ${made}, stalled ${stalls}, priority ${priority}, lock ${lock ?? 'none'}`;

/** The entries of a list, or of a set with their scores. */
const describeEntries = (type: 'list' | 'zset', reply: readonly string[]) =>
  type === 'list' ? reply : reply.flatMap((id, i) => (i % 2 === 0 ? [`${id} at ${reply[i + 1]}`] : []));

/** The model in the form in which it is compared. */
export const describeModel = (model: Model): Snapshot => ({
  isPaused: model.isPaused,
  states: {
    ...Object.fromEntries(Object.entries(model.lists).map(([state, ids]) => [state, [...ids]])),
    ...Object.fromEntries(
      Object.entries(model.sets).map(([state, set]) => [
        state,
        inOrder(set).map((id) => `${id} at ${set[id]}`),
      ]),
    ),
  },
  marked: [...model.marked].sort(),
  jobs: Object.fromEntries(
    Object.entries(model.jobs).map(([id, job]) => [
      id,
      describeJob(job.attemptsStarted, job.attemptsMade, job.stalls, job.priority, job.lock),
    ]),
  ),
});

/** A reply in the words of the model. */
function describeReply(reply: unknown): Outcome {
  if (Array.isArray(reply)) return reply[1] === 0 ? 'nothing' : `fetched ${reply[1]}`;
  if (typeof reply === 'number' && reply < 0) return `refused ${reply}`;
  return reply === 1 ? 'again' : 'ok';
}
