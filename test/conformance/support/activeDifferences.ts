/** Rows of the table of differences: the scripts with which workers fetch, finish and move the jobs they have. */
import assert from 'node:assert/strict';
import { type Difference, diesWith, heldBy, last } from './difference';
import { PAST } from './operations';
import type { Result, Side } from './scenario';
import { delayActiveJob, fetchJob, finishJob, giveBackJob, NOW, retryActiveJob } from './workerCalls';

const plain = { timestamp: PAST };
/** A job that is due at NOW. */
const due = { timestamp: NOW - 1000, delay: 1000 };

const PLACES = ['wait', 'active', 'prioritized', 'delayed', 'completed', 'failed'] as const;

/** The states that list a job; a key of another type lists none. */
const statesOf = (result: Result, id: string) =>
  PLACES.filter((place) => {
    const held = heldBy(result, place);
    return Array.isArray(held) && held.flat().includes(id);
  });

/** The job 1 is in these states, and nowhere else. */
const jobIsIn =
  (...places: readonly (typeof PLACES)[number][]) =>
  (result: Result) =>
    assert.deepEqual(statesOf(result, '1'), places);
const isLost = (error: string) => (result: Result) => {
  diesWith(error)(result);
  jobIsIn()(result);
};
const hasStoppedBefore = (result: Result) => {
  diesWith('WRONGTYPE')(result);
  jobIsIn('active')(result);
  assert.equal(heldBy(result, '1:lock'), 'token-of-the-test');
};
const answers = (value: unknown, place: (typeof PLACES)[number]) => (result: Result) => {
  assert.deepEqual(last(result), { value });
  jobIsIn(place)(result);
};
/** The job that the last call gave. */
const idGiven = (result: Result) => (last(result) as { value: unknown[] }).value?.[1];

/** Job 1 is active; then its surroundings are damaged, and it is moved. */
const move = (damage: (side: Side) => Promise<unknown>, moved: (side: Side) => Promise<unknown>) =>
  async function scenario(side: Side): Promise<void> {
    await side.add(plain);
    await fetchJob(side);
    await damage(side);
    await moved(side);
  };

const setField = (field: string, value: string) => (side: Side) =>
  side.redis.hset(side.keys.job('1'), field, value);
const breakHash = (side: Side) => side.redis.set(side.keys.job('1'), 'text');
const breakCap = (side: Side) => side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 'lots');
const breakList = (side: Side) => side.redis.set(side.keys.wait(), 'text');

const finish = (side: Side) => finishJob(side, '1');
const putOff = (side: Side) => delayActiveJob(side, '1');
const retry = (side: Side) => retryActiveJob(side, '1');
const giveBack = (side: Side) => giveBackJob(side, '1');

const LOST = 'the reference dies when the job is out of active and in no list yet';
const STOPPED = `${LOST}; ours stops before it began`;

const FETCHING: readonly Difference[] = [
  {
    what: 'two markers of an older release in wait',
    why: 'the reference hands the second out as a job',
    scenario: async (side) => {
      await side.add(plain);
      await side.redis.rpush(side.keys.wait(), '0:0', '0:0');
      await fetchJob(side);
    },
    theirs: (result) => assert.equal(idGiven(result), '0:0'),
    ours: (result) => assert.equal(idGiven(result), '1'),
  },
  {
    what: 'due jobs, one of which is no hash',
    why: 'the reference dies when all are out of delayed, and those behind it are lost',
    scenario: async (side) => {
      for (let i = 0; i < 3; i++) await side.add(due);
      await side.redis.set(side.keys.job('2'), 'text');
      await fetchJob(side);
    },
    theirs: (result) => {
      diesWith('WRONGTYPE')(result);
      assert.deepEqual(statesOf(result, '3'), []);
    },
    ours: (result) => {
      assert.equal(idGiven(result), '1');
      assert.deepEqual(heldBy(result, 'wait'), ['3', '2']);
      assert.equal(heldBy(result, '2'), 'text');
    },
  },
  {
    what: 'due jobs, one of which has the priority "nan"',
    why: 'as above; ours takes the text for no priority',
    scenario: async (side) => {
      await side.add(due);
      await side.add(due);
      await side.redis.hset(side.keys.job('1'), 'priority', 'nan');
      await fetchJob(side);
    },
    theirs: (result) => {
      isLost('ERR')(result);
      assert.deepEqual(statesOf(result, '2'), []);
    },
    ours: (result) => {
      assert.equal(idGiven(result), '1');
      assert.deepEqual(statesOf(result, '2'), ['wait']);
    },
  },
  {
    what: 'due jobs while wait is no list',
    why: 'as above; ours stops before it began',
    scenario: async (side) => {
      await side.add(due);
      await breakList(side);
      await fetchJob(side);
    },
    theirs: isLost('WRONGTYPE'),
    ours: (result) => {
      diesWith('WRONGTYPE')(result);
      jobIsIn('delayed')(result);
    },
  },
  {
    what: 'a job whose attempts started are no number',
    why: 'the reference dies when the job is active and locked: no worker has it, and it will stall',
    scenario: async (side) => {
      await side.add(plain);
      await setField('ats', 'many')(side);
      await fetchJob(side);
    },
    theirs: diesWith('ERR'),
    ours: (result) => assert.equal(idGiven(result), '1'),
  },
  {
    what: 'a rate limit without a window',
    why: 'the reference dies when the job is active: no worker has it, and it will stall',
    scenario: async (side) => {
      await side.add(plain);
      await fetchJob(side, { limiter: { max: 1 } });
    },
    theirs: diesWith('ERR'),
    ours: (result) => assert.equal(idGiven(result), '1'),
  },
  {
    what: 'a concurrency that is no number',
    why: 'the reference dies on every fetch, and the queue stands still',
    scenario: async (side) => {
      await side.add(plain);
      await side.redis.hset(side.keys.meta(), 'concurrency', 'lots');
      await fetchJob(side);
    },
    theirs: diesWith('ERR'),
    ours: (result) => assert.equal(idGiven(result), '1'),
  },
];

const FINISHING: readonly Difference[] = [
  ...(
    [
      ['0:0', 'before another job', {}, (result: Result) => diesWith('ERR')(result)],
      [
        '0:4102444800000',
        'and a job with a priority',
        { priority: 1 },
        (result: Result) => assert.deepEqual(last(result), { value: 0 }),
      ],
    ] as const
  ).map(([marker, where, options, theirs]) => ({
    what: `finishing with a marker of an older release, ${marker}, in wait ${where}`,
    why: 'the reference gives no job, or dies after the finish, so that the worker sleeps or takes it for a failure',
    scenario: move(
      async (side) => {
        await side.add({ ...plain, ...options });
        await side.redis.rpush(side.keys.wait(), marker);
      },
      (side) => finishJob(side, '1', { fetchNext: true }),
    ),
    theirs,
    ours: (result: Result) => assert.equal(idGiven(result), '2'),
  })),
  {
    what: 'finishing with a marker of an older release alone in wait',
    why: 'the reference dies after the finish, and the worker takes it for a failure',
    scenario: move(
      (side) => side.redis.rpush(side.keys.wait(), '0:0'),
      (side) => finishJob(side, '1', { fetchNext: true }),
    ),
    theirs: diesWith('ERR'),
    ours: answers(0, 'completed'),
  },
  {
    what: 'finishing while completed is no sorted set',
    why: STOPPED,
    scenario: move((side) => side.redis.set(side.keys.completed(), 'text'), finish),
    theirs: isLost('WRONGTYPE'),
    ours: hasStoppedBefore,
  },
  {
    what: 'finishing a job whose key is no hash',
    why: 'the reference dies when the lock is gone; ours leaves it',
    scenario: move(breakHash, finish),
    theirs: (result) => {
      diesWith('WRONGTYPE')(result);
      assert.equal(heldBy(result, '1:lock'), undefined);
    },
    ours: hasStoppedBefore,
  },
  {
    what: 'finishing a job whose attempts made are no number',
    why: `${LOST}; ours counts anew`,
    scenario: move(setField('atm', 'many'), finish),
    theirs: isLost('ERR'),
    ours: answers(0, 'completed'),
  },
  {
    what: 'finishing while the cap of events is no number',
    why: LOST,
    scenario: move(breakCap, finish),
    theirs: isLost('ERR'),
    ours: answers(0, 'completed'),
  },
  ...['{', '7'].map((parent) => ({
    what: `finishing a child whose parent field is ${parent}`,
    why: 'the reference dies when the lock is gone; ours takes what the key of the parent says',
    scenario: move(
      (side) => side.redis.hset(side.keys.job('1'), { parentKey: side.keys.job('parent'), parent }),
      finish,
    ),
    theirs: diesWith('ERR'),
    ours: answers(0, 'completed'),
  })),
  {
    what: 'failing a child whose parent is no hash',
    why: LOST,
    scenario: move(
      async (side) => {
        const parent = JSON.stringify({ id: 'parent', queueKey: side.keys.queueKey, fpof: true });
        await side.redis.hset(side.keys.job('1'), { parentKey: side.keys.job('parent'), parent });
        await side.redis.set(side.keys.job('parent'), 'text');
        await side.redis.sadd(side.keys.dependencies('parent'), side.keys.job('1'));
        await side.redis.zadd(side.keys.waitingChildren(), PAST, 'parent');
      },
      (side) => finishJob(side, '1', { target: 'failed' }),
    ),
    theirs: isLost('WRONGTYPE'),
    ours: answers(0, 'failed'),
  },
  ...[
    { name: 'n', data: '{}', opts: '{' },
    { data: '{}', opts: '{}' },
  ].map((kept) => ({
    what: `finishing an owner while the job kept for then is ${JSON.stringify(kept)}`,
    why: `${LOST}; ours leaves what was kept`,
    scenario: async (side: Side) => {
      await side.add({ ...plain, deduplication: { id: 'd' } });
      await fetchJob(side);
      await side.redis.hset(side.keys.deduplicationNext('d'), kept);
      await finish(side);
    },
    theirs: isLost('ERR'),
    ours: answers(0, 'completed'),
  })),
  ...(
    [
      ['are no hash', (side: Side) => side.redis.set(side.keys.metrics('completed'), 'text'), 'WRONGTYPE'],
      [
        'hold no time',
        (side: Side) => side.redis.hset(side.keys.metrics('completed'), { count: '3', prevTS: 'then' }),
        'ERR',
      ],
    ] as const
  ).map(([what, damage, error]) => ({
    what: `finishing while the metrics ${what}`,
    why: 'the reference dies after the finish, and the worker takes it for a failure',
    scenario: move(damage, (side) => finishJob(side, '1', { maxMetricsSize: 5 })),
    theirs: (result: Result) => {
      diesWith(error)(result);
      jobIsIn('completed')(result);
    },
    ours: answers(0, 'completed'),
  })),
  {
    what: 'a finished job that is no longer kept and whose key is no hash',
    why: 'the reference dies half-way in this and every later finish',
    scenario: move(
      async (side) => {
        await side.redis.zadd(side.keys.completed(), PAST, 'old');
        await side.redis.set(side.keys.job('old'), 'text');
      },
      (side) => finishJob(side, '1', { keepJobs: { count: 1 } }),
    ),
    theirs: diesWith('WRONGTYPE'),
    ours: (result) => {
      answers(0, 'completed')(result);
      assert.deepEqual(statesOf(result, 'old'), []);
    },
  },
];

const MOVING: readonly Difference[] = [
  ...Object.entries({ 'putting off': putOff, retrying: retry, 'giving back': giveBack }).map(
    ([what, moved]) => ({
      what: `${what} a job whose key is no hash`,
      why: STOPPED,
      scenario: move(breakHash, moved),
      theirs: isLost('WRONGTYPE'),
      ours: hasStoppedBefore,
    }),
  ),
  ...Object.entries({ retrying: retry, 'giving back': giveBack }).map(([what, moved]) => ({
    what: `${what} a job while wait is no list`,
    why: STOPPED,
    scenario: move(breakList, moved),
    theirs: isLost('WRONGTYPE'),
    ours: hasStoppedBefore,
  })),
  {
    what: 'putting off a job while delayed is no sorted set',
    why: STOPPED,
    scenario: move((side) => side.redis.set(side.keys.delayed(), 'text'), putOff),
    theirs: isLost('WRONGTYPE'),
    ours: hasStoppedBefore,
  },
  {
    what: 'putting off a job whose attempts made are no number',
    why: `${LOST}; ours counts anew`,
    scenario: move(setField('atm', 'many'), putOff),
    theirs: isLost('ERR'),
    ours: answers(0, 'delayed'),
  },
  {
    what: 'putting off a job with an empty list of fields to write',
    why: 'the reference dies when the lock is gone; ours has nothing to write',
    scenario: move(
      async () => undefined,
      (side) => delayActiveJob(side, '1', { fields: [] }),
    ),
    theirs: diesWith('ERR'),
    ours: answers(0, 'delayed'),
  },
  {
    what: 'retrying a job whose attempts made are no number',
    why: 'the reference dies after the move, and announces nothing; ours counts anew',
    scenario: move(setField('atm', 'many'), retry),
    theirs: diesWith('ERR'),
    ours: answers(0, 'wait'),
  },
  ...Object.entries({ 'putting off': putOff, retrying: retry, 'giving back': giveBack }).map(
    ([what, moved]) => ({
      what: `${what} a job while the cap of events is no number`,
      why: 'the reference dies half-way, and announces nothing',
      scenario: move(breakCap, moved),
      theirs: diesWith('ERR'),
      ours: answers(0, what === 'putting off' ? 'delayed' : 'wait'),
    }),
  ),
  {
    what: 'retrying a job whose priority is "nan"',
    why: `${LOST}; ours takes the text for no priority`,
    scenario: move(setField('priority', 'nan'), retry),
    theirs: isLost('ERR'),
    ours: answers(0, 'wait'),
  },
  {
    what: 'giving back a job whose priority is "inf"',
    why: 'the reference puts it behind all there will ever be; ours takes the text for no priority',
    scenario: move(setField('priority', 'inf'), giveBack),
    theirs: answers(0, 'prioritized'),
    ours: answers(0, 'wait'),
  },
];

/** The rows of the scripts with which workers fetch, finish, put off, retry and give back jobs. */
export const ACTIVE_DIFFERENCES: readonly Difference[] = [...FETCHING, ...FINISHING, ...MOVING];
