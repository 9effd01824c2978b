/**
 * Operations of a random sequence. An operation names its job by a number and the place to look for it in: which job
 * that is shows only while the sequence runs, so a sequence that was cut shorter still makes sense. Time is a part of
 * the sequence as well: it passes before an operation, and no real clock is read.
 */
import fc from 'fast-check';
import { changeDelay, changePriority, pause, removeJob, resume, updateData } from './managementCalls';
import type { AddOptions } from './operations';
import type { Side } from './scenario';
import {
  delayActiveJob,
  extendLock,
  extendLocks,
  fetchJob,
  finishJob,
  giveBackJob,
  NOW,
  promoteJob,
  recoverJobs,
  releaseLock,
  reprocessJob,
  retryActiveJob,
} from './workerCalls';

/** What a sequence knows while it runs on one side. */
export interface Run {
  readonly side: Side;
  nowMs: number;
}

export interface Operation {
  readonly title: string;
  readonly apply: (run: Run) => Promise<unknown>;
}

/** A job to be found: the n-th of those in a place, or of all there are when the place is empty. */
interface Target {
  readonly usual: boolean;
  readonly n: number;
}

/** Whose token a worker shows: the one in the lock, if there is one, another's, or none. */
type Token = 'own' | 'other' | 'none';

const target: fc.Arbitrary<Target> = fc.record({
  usual: fc.integer({ min: 0, max: 19 }).map((n) => n > 0),
  n: fc.nat(30),
});
const token: fc.Arbitrary<Token> = fc.oneof(
  { weight: 8, arbitrary: fc.constant('own' as const) },
  { weight: 1, arbitrary: fc.constantFrom('other' as const, 'none' as const) },
);
const worker = fc.constantFrom('worker-a', 'worker-a', 'worker-b', '0');
const limiter = fc.constantFrom(null, null, null, { max: 2, duration: 600000 });
const keepJobs = fc.constantFrom(
  ...[{ count: -1 }, { count: -1 }, { count: 0 }, { count: 2 }, { age: 3 }, { age: 2, count: 4, limit: 1 }],
);
const fields = fc.constantFrom(undefined, ['failedReason', 'boom', 'stacktrace', '["Error: boom"]']);

const PLACES = {
  active: (side: Side) => side.redis.lrange(side.keys.active(), 0, -1),
  delayed: (side: Side) => side.redis.zrange(side.keys.delayed(), 0, '-1'),
  completed: (side: Side) => side.redis.zrange(side.keys.completed(), 0, '-1'),
  failed: (side: Side) => side.redis.zrange(side.keys.failed(), 0, '-1'),
};

/** Every id that was ever given, and one that never was. */
async function allIds(side: Side): Promise<string[]> {
  const last = Number((await side.redis.get(side.keys.id())) ?? 0);
  return ['unknown', ...OWN_IDS, ...Array.from({ length: last }, (_, i) => `${i + 1}`)];
}
const OWN_IDS = ['mine', 'yours'];

async function findJob(side: Side, place: keyof typeof PLACES, { usual, n }: Target): Promise<string> {
  const there = usual ? await PLACES[place](side) : [];
  const ids = there.length > 0 ? there : await allIds(side);
  return ids[n % ids.length] ?? 'unknown';
}

async function tokenOf(side: Side, id: string, which: Token): Promise<string> {
  if (which === 'none') return '0';
  return which === 'other' ? 'stranger' : ((await side.redis.get(side.keys.lock(id))) ?? '0');
}

/** An operation on a job of a place, by a worker that shows a token. */
function onActive<T extends object>(
  title: string,
  options: fc.Arbitrary<T>,
  apply: (run: Run, id: string, token: string, options: T) => Promise<unknown>,
): fc.Arbitrary<Operation> {
  return fc.tuple(target, token, options).map(([which, shown, given]) => ({
    title: `${title} ${JSON.stringify({ ...which, token: shown, ...given })}`,
    apply: async (run) => {
      const id = await findJob(run.side, 'active', which);
      return apply(run, id, await tokenOf(run.side, id, shown), given);
    },
  }));
}

function onJob<T extends object>(
  title: string,
  place: keyof typeof PLACES,
  options: fc.Arbitrary<T>,
  apply: (run: Run, id: string, options: T) => Promise<unknown>,
): fc.Arbitrary<Operation> {
  return fc.tuple(target, options).map(([which, given]) => ({
    title: `${title} ${JSON.stringify({ ...which, ...given })}`,
    apply: async (run) => apply(run, await findJob(run.side, place, which), given),
  }));
}

const simply = (title: string, apply: Operation['apply']) => fc.constant<Operation>({ title, apply });

const deduplication = fc.record(
  {
    id: fc.constantFrom('d', 'e'),
    ttl: fc.constant(600000),
    extend: fc.boolean(),
    replace: fc.boolean(),
    keepLastIfActive: fc.boolean(),
  },
  { requiredKeys: ['id'] },
);
const policy = fc.constantFrom(
  {},
  { failParentOnFailure: true },
  { continueParentOnFailure: true },
  { ignoreDependencyOnFailure: true },
  { removeDependencyOnFailure: true },
);
const newJob = fc.record(
  {
    delay: fc.integer({ min: 1, max: 4000 }),
    priority: fc.integer({ min: 1, max: 3 }),
    lifo: fc.boolean(),
    attempts: fc.nat(3),
    jobId: fc.constantFrom(...OWN_IDS),
    deduplication,
  },
  { requiredKeys: [] },
);

const none = fc.constant({});

/** Everything a sequence is made of, the common operations more often. */
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 10,
    arbitrary: newJob.map(
      (options): Operation => ({
        title: `add ${JSON.stringify(options)}`,
        apply: ({ side, nowMs }) =>
          side.add({ timestamp: nowMs, ...(options as Omit<AddOptions, 'timestamp'>) }),
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: onJob('add a child of', 'active', policy, async ({ side, nowMs }, id, options) =>
      side.add({ timestamp: nowMs, parent: { id, queue: side.keys.queueKey }, ...options }),
    ),
  },
  {
    weight: 14,
    arbitrary: fc.record({ token: worker, limiter }).map(
      (options): Operation => ({
        title: `fetch ${JSON.stringify(options)}`,
        apply: ({ side, nowMs }) => fetchJob(side, { timestamp: nowMs, ...options }),
      }),
    ),
  },
  {
    weight: 14,
    arbitrary: onActive(
      'finish',
      fc.record({
        target: fc.constantFrom('completed' as const, 'failed' as const),
        keepJobs,
        limiter,
        attempts: fc.nat(2),
        fetchNext: fc.boolean(),
        maxMetricsSize: fc.constantFrom('' as const, 3),
      }),
      ({ side, nowMs }, id, token, options) => finishJob(side, id, { timestamp: nowMs, token, ...options }),
    ),
  },
  {
    weight: 3,
    arbitrary: onActive(
      'put off',
      fc.record({ delay: fc.integer({ min: 0, max: 3000 }), skip: fc.boolean(), fields }),
      ({ side, nowMs }, id, token, { fields: written, ...rest }) =>
        delayActiveJob(side, id, { timestamp: nowMs, token, ...rest, ...(written && { fields: written }) }),
    ),
  },
  {
    weight: 3,
    arbitrary: onActive('retry', fc.record({ lifo: fc.boolean() }), ({ side, nowMs }, id, token, options) =>
      retryActiveJob(side, id, { timestamp: nowMs, token, ...options }),
    ),
  },
  {
    weight: 2,
    arbitrary: onActive('give back', none, ({ side }, id, token) => giveBackJob(side, id, token)),
  },
  { weight: 1, arbitrary: onActive('extend', none, ({ side }, id, token) => extendLock(side, id, token)) },
  { weight: 1, arbitrary: onActive('release', none, ({ side }, id, token) => releaseLock(side, id, token)) },
  {
    weight: 1,
    arbitrary: simply('extend all', async ({ side }) =>
      extendLocks(
        side,
        (await PLACES.active(side)).map((id) => [id, 'worker-a']),
      ),
    ),
  },
  { weight: 3, arbitrary: onJob('promote', 'delayed', none, ({ side }, id) => promoteJob(side, id)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('completed' as const, 'failed' as const).chain((state) =>
      onJob(`reprocess ${state}`, state, fc.record({ lifo: fc.boolean() }), async ({ side }, id, options) => {
        // Here the reference dies half-way, which the table of differences has.
        const parentKey = await side.redis.hget(side.keys.job(id), 'parentKey');
        if (state === 'failed' && parentKey && (await side.redis.exists(`${parentKey}:failed`))) return;
        await reprocessJob(side, id, state, options);
      }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.nat(2).map(
      (maxStalls): Operation => ({
        title: `stalled pass, at most ${maxStalls}`,
        apply: async ({ side, nowMs }) => {
          await side.lapseThrottle();
          await recoverJobs(side, maxStalls, nowMs);
        },
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: onJob('lose the lock of', 'active', none, ({ side }, id) =>
      side.redis.del(side.keys.lock(id)),
    ),
  },
  { weight: 1, arbitrary: onJob('remove', 'delayed', none, ({ side }, id) => removeJob(side, id)) },
  {
    weight: 1,
    arbitrary: onJob(
      'change the priority of',
      'active',
      fc.record({ priority: fc.nat(3) }),
      (run, id, { priority }) => changePriority(run.side, id, priority),
    ),
  },
  {
    weight: 1,
    arbitrary: onJob(
      'change the delay of',
      'delayed',
      fc.record({ delay: fc.nat(3000) }),
      (run, id, { delay }) => changeDelay(run.side, id, delay, run.nowMs),
    ),
  },
  {
    weight: 1,
    arbitrary: onJob('change the data of', 'active', none, ({ side }, id) => updateData(side, id, '[7]')),
  },
  { weight: 1, arbitrary: simply('pause', ({ side }) => pauseOnce(side)) },
  { weight: 4, arbitrary: simply('resume', ({ side }) => resumeOnce(side)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, 1, 2, 4).map(
      (n): Operation => ({
        title: `a concurrency of ${n || 'any'}`,
        apply: ({ side }) =>
          n > 0
            ? side.redis.hset(side.keys.meta(), 'concurrency', n)
            : side.redis.hdel(side.keys.meta(), 'concurrency'),
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: simply('a new window of the rate limit', ({ side }) => side.redis.del(side.keys.limiter())),
  },
  {
    weight: 1,
    arbitrary: simply('a deduplication lapses', ({ side }) => side.redis.del(side.keys.deduplication('d'))),
  },
);

/** Pausing twice, and resuming what is not paused, are in the table of differences. */
async function pauseOnce(side: Side): Promise<void> {
  if (!(await side.redis.hexists(side.keys.meta(), 'paused'))) await pause(side);
}
async function resumeOnce(side: Side): Promise<void> {
  if (await side.redis.hexists(side.keys.meta(), 'paused')) await resume(side);
}

/** An operation, and the time that passes before it in ms. */
const step = fc.tuple(operation, fc.constantFrom(0, 0, 1, 10, 700, 3000, 61000));

export interface Sequence {
  readonly maxEvents: number;
  readonly steps: readonly (readonly [Operation, number])[];
}

/** Sequences of at most so many operations. */
export const sequences = (maxLength: number): fc.Arbitrary<Sequence> =>
  fc.record({
    maxEvents: fc.constantFrom(10, 10000),
    steps: fc.array(step, { minLength: 1, maxLength, size: 'max' }),
  });

/** What a person reads when a sequence fails. */
export const describeSequence = ({ maxEvents, steps }: Sequence) =>
  [
    `events ${maxEvents}`,
    ...steps.map(([{ title }, ms]) => (ms > 0 ? `${title}, after ${ms} ms` : title)),
  ].join('\n');

/** Runs a sequence on a side. */
export async function runSequence(side: Side, { maxEvents, steps }: Sequence): Promise<void> {
  await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', maxEvents);
  const run: Run = { side, nowMs: NOW };
  for (const [{ apply }, ms] of steps) {
    run.nowMs += ms;
    await apply(run);
  }
}
