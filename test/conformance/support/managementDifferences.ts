/** Rows of the table of differences: what a person does with queues and jobs. */
import assert from 'node:assert/strict';
import { type Difference, fieldOf, heldBy, last, lastEvent } from './difference';
import {
  changePriority,
  clean,
  drain,
  moveJobsToWait,
  obliterate,
  pause,
  removeJob,
  resume,
} from './managementCalls';
import { FUTURE, PAST } from './operations';
import type { Result, Side } from './scenario';

/** What runtimes that pause a queue in different ways leave: jobs in both lists. The first id is served last. */
const fillLists = async (side: Side, lists: { wait?: string[]; paused?: string[] }) => {
  for (const [state, ids = []] of Object.entries(lists)) {
    for (const id of ids) await side.redis.hset(side.keys.job(id), 'name', 'job', 'priority', 0);
    if (ids.length > 0) await side.redis.rpush(`${side.keys.base}${state}`, ...ids);
  }
};
const holds = (suffix: string, value: unknown) => (result: Result) =>
  assert.deepEqual(heldBy(result, suffix), value);

const losesAList =
  'the reference renames over a list that has entries, whose jobs are in no state from then on; ours joins the two';

const PAUSING: readonly Difference[] = [
  {
    what: 'pausing while both lists hold jobs',
    why: losesAList,
    scenario: async (side) => {
      await fillLists(side, { wait: ['4', '3'], paused: ['2', '1'] });
      await pause(side);
    },
    theirs: holds('paused', ['4', '3']),
    ours: holds('paused', ['4', '3', '2', '1']),
  },
  ...[
    { wait: ['5', '4', '3'], paused: ['2', '1'] },
    { wait: ['5', '4'], paused: ['3', '2', '1'] },
  ].map((lists) => ({
    what: `resuming with ${lists.wait.length} jobs in wait and ${lists.paused.length} in paused`,
    why: losesAList,
    scenario: async (side: Side) => {
      await fillLists(side, lists);
      await side.redis.hset(side.keys.meta(), 'paused', 1);
      await resume(side);
    },
    theirs: holds('wait', lists.paused),
    ours: (result: Result) => {
      holds('wait', ['5', '4', '3', '2', '1'])(result);
      holds('paused', undefined)(result);
      holds('marker', [['0', '0']])(result);
      assert.deepEqual(lastEvent(result), ['event', 'resumed']);
    },
  })),
  {
    what: 'resuming a queue whose jobs stayed in wait',
    why: 'the reference sets no marker, so idle workers sleep on until their time is up',
    scenario: async (side) => {
      await fillLists(side, { wait: ['1'] });
      await side.redis.hset(side.keys.meta(), 'paused', 1);
      await resume(side);
    },
    theirs: holds('marker', undefined),
    ours: holds('marker', [['0', '0']]),
  },
];

const CHANGING: readonly Difference[] = (['wait', 'paused'] as const).flatMap((list) =>
  [0, 3].map((priority) => ({
    what: `changing the priority to ${priority} of a job in ${list}, where the queue now keeps none`,
    why: 'the reference looks into the other list alone, changes the field and leaves the job in its old place',
    scenario: async (side: Side) => {
      await fillLists(side, { [list]: ['2', '1'] });
      if (list === 'wait') await side.redis.hset(side.keys.meta(), 'paused', 1);
      await changePriority(side, '1', priority);
    },
    theirs: holds(list, ['2', '1']),
    ours: (result: Result) => {
      assert.deepEqual(last(result), { value: 0 });
      assert.equal(fieldOf(result, '1', 'priority'), `${priority}`);
      holds(list, priority === 0 ? ['1', '2'] : ['2'])(result);
      holds('prioritized', priority === 0 ? undefined : [['1', '12884901889']])(result);
    },
  })),
);

const REMOVING: readonly Difference[] = [
  {
    what: "removing the last child of a scheduler's iteration",
    why: "the reference takes a part of the parent's id for its queue, and the parent waits for ever",
    scenario: async (side) => {
      const id = `repeat:cron:${FUTURE}`;
      await side.add({ timestamp: PAST, jobId: id });
      await side.add({ timestamp: PAST, jobId: 'child', parent: { id, queue: side.keys.queueKey } });
      await side.redis.lrem(side.keys.wait(), 0, id);
      await side.redis.zadd(side.keys.waitingChildren(), 1, id);
      await removeJob(side, 'child');
    },
    theirs: (result) => {
      holds('waiting-children', [[`repeat:cron:${FUTURE}`, '1']])(result);
      holds('wait', undefined)(result);
    },
    ours: (result) => {
      holds('waiting-children', undefined)(result);
      holds('wait', [`repeat:cron:${FUTURE}`])(result);
    },
  },
];

/** A parent that waits for one child, whose deduplication id belongs to another job. */
const addChildOfAnotherOwner = async (side: Side) => {
  await side.add({ timestamp: PAST, jobId: 'parent' });
  await side.redis.lrem(side.keys.wait(), 0, 'parent');
  await side.redis.zadd(side.keys.waitingChildren(), 1, 'parent');
  await side.add({ timestamp: PAST, jobId: 'child', parent: { id: 'parent', queue: side.keys.queueKey } });
  await side.redis.hset(side.keys.job('child'), 'deid', 'd');
  await side.redis.set(side.keys.deduplication('d'), 'other');
};

const CLEARING: readonly Difference[] = [
  {
    what: 'draining a list with the pending iteration of a scheduler in it',
    why: 'the reference cuts off as many ids as it removed, wherever they stood: the scheduler stands still for ever',
    scenario: async (side) => {
      const id = `repeat:cron:${PAST}`;
      for (const jobId of ['a', 'b', id]) await side.add({ timestamp: PAST, jobId });
      await side.redis.zadd(side.keys.repeat(), PAST, 'cron');
      await drain(side);
    },
    theirs: holds('wait', ['a']),
    ours: holds('wait', [`repeat:cron:${PAST}`]),
  },
  ...[
    { what: 'draining', run: drain },
    { what: 'cleaning', run: (side: Side) => clean(side, 'wait') },
  ].map(({ what, run }) => ({
    what: `${what} the last child of a parent, whose deduplication id another job owns`,
    why: 'the reference frees the id of that other job, and a duplicate of it can be added',
    scenario: async (side: Side) => {
      await addChildOfAnotherOwner(side);
      await run(side);
    },
    theirs: holds('de:d', undefined),
    ours: holds('de:d', 'other'),
  })),
  {
    what: 'cleaning a job added at a time with fewer digits',
    why: 'the reference compares the times as text, by which the year 2001 comes after the year 2020',
    scenario: async (side) => {
      await side.add({ timestamp: 999_999_999_999 });
      await clean(side, 'wait');
    },
    theirs: (result) => assert.deepEqual(last(result), { value: [] }),
    ours: (result) => assert.deepEqual(last(result), { value: ['1'] }),
  },
  {
    what: 'removing a queue with jobs in both lists, or waiting for children, and a rate limit',
    why: 'the reference says that nothing is left, and leaves these behind without their queue',
    scenario: async (side) => {
      await fillLists(side, { wait: ['2'], paused: ['1'] });
      await side.redis.hset(side.keys.job('3'), 'name', 'job');
      await side.redis.zadd(side.keys.waitingChildren(), 1, '3');
      await side.redis.set(side.keys.limiter(), 5);
      await side.redis.hset(side.keys.meta(), 'paused', 1);
      await obliterate(side);
    },
    theirs: (result) => {
      assert.deepEqual(last(result), { value: 0 });
      const left = ['2', '3', 'limiter', 'wait', 'waiting-children'].map((key) => `emq:Q:${key}`);
      assert.deepEqual(Object.keys(result.keyspace).sort(), left);
    },
    ours: (result) => {
      assert.deepEqual(last(result), { value: 0 });
      assert.deepEqual(result.keyspace, {});
    },
  },
  {
    what: 'retrying many jobs, one of them a child whose parent had noted its failure',
    why: 'the reference leaves the note, so the parent fails or goes on although the child runs again',
    scenario: async (side) => {
      await side.add({ timestamp: PAST, jobId: 'parent' });
      await side.fetch();
      const parent = { id: 'parent', queue: side.keys.queueKey };
      await side.add({ timestamp: PAST, jobId: 'child', parent, ignoreDependencyOnFailure: true });
      await side.fail(await side.fetch());
      await moveJobsToWait(side, 'failed');
    },
    theirs: (result) => {
      holds('parent:failed', { 'emq:Q:child': 'boom' })(result);
      holds('parent:dependencies', undefined)(result);
    },
    ours: (result) => {
      holds('parent:failed', undefined)(result);
      holds('parent:dependencies', ['emq:Q:child'])(result);
      holds('wait', ['child'])(result);
    },
  },
];

export const MANAGEMENT_DIFFERENCES: readonly Difference[] = [
  ...PAUSING,
  ...CHANGING,
  ...REMOVING,
  ...CLEARING,
];
