/**
 * Where our scripts differ from the reference on purpose. Each row is something the reference does that loses or
 * damages a job, found in `bullmq` 5.73.2; nothing outside this table may differ.
 */
import assert from 'node:assert/strict';
import { ACTIVE_DIFFERENCES } from './support/activeDifferences';
import { type Difference, diesWith, fieldOf, heldBy, last, lastEvent } from './support/difference';
import { MANAGEMENT_DIFFERENCES } from './support/managementDifferences';
import { FUTURE, PAST } from './support/operations';
import { Comparison, type Result, type Side } from './support/scenario';

const failChildUnder = (policy: string) => async (side: Side) => {
  await side.add({ timestamp: PAST, jobId: 'parent' });
  await side.fetch();
  const parent = { id: 'parent', queue: side.keys.queueKey };
  await side.add({ timestamp: PAST, jobId: 'child', parent, [policy]: true });
  await side.fail(await side.fetch());
  await side.retry('child', 'failed');
};

/** Two passes over one active job without a lock, damaged in between. */
const stallDamaged = (damage: (side: Side) => Promise<unknown>) => async (side: Side) => {
  await side.add({ timestamp: PAST });
  await side.loseLock(await side.fetch());
  await side.recoverStalled(1);
  await damage(side);
  await side.lapseThrottle();
  await side.recoverStalled(1);
};

const childIsReopened = (result: Result) => {
  assert.deepEqual(last(result), { value: undefined });
  assert.deepEqual(heldBy(result, 'wait'), ['child']);
  assert.equal(heldBy(result, 'parent:failed'), undefined);
  assert.deepEqual(heldBy(result, 'parent:dependencies'), ['emq:Q:child']);
  assert.deepEqual(lastEvent(result), ['event', 'waiting', 'jobId', 'child', 'prev', 'failed']);
};

const diesAfterMovingTheChild = (result: Result) => {
  diesWith('WRONGTYPE')(result);
  assert.deepEqual(heldBy(result, 'wait'), ['child']);
  assert.equal(heldBy(result, 'parent:dependencies'), undefined);
};

const losesTheStalledJob = (error: string) => (result: Result) => {
  diesWith(error)(result);
  assert.equal(heldBy(result, 'active'), undefined);
  assert.equal(heldBy(result, 'wait'), undefined);
};

const recoversTheStalledJob = (result: Result) => {
  assert.deepEqual(last(result), { value: ['1'] });
  assert.equal(fieldOf(result, '1', 'stc'), '1');
  assert.deepEqual(heldBy(result, 'wait'), ['1']);
};

const DIFFERENCES: readonly Difference[] = [
  ...['continueParentOnFailure', 'ignoreDependencyOnFailure'].map((policy) => ({
    what: `retrying a child that failed under ${policy}`,
    why: "the reference takes the parent's hash of ignored failures for a sorted set and dies after the move",
    scenario: failChildUnder(policy),
    theirs: diesAfterMovingTheChild,
    ours: childIsReopened,
  })),
  {
    what: 'a stalled job whose stall count is no number',
    why: 'the reference dies when the job is out of active and in no list yet: the job is lost',
    scenario: stallDamaged((side) => side.redis.hset(side.keys.job('1'), 'stc', 'many')),
    theirs: losesTheStalledJob('ERR'),
    ours: recoversTheStalledJob,
  },
  ...['{', '7', 'null'].map((options) => ({
    what: `a stalled job whose options are ${options}`,
    why: 'as above',
    scenario: stallDamaged((side) => side.redis.hset(side.keys.job('1'), 'opts', options)),
    theirs: losesTheStalledJob('ERR'),
    ours: recoversTheStalledJob,
  })),
  {
    what: 'a stalled job whose key is no hash',
    why: 'as above; ours leaves it where it is, because a worker that was given it would break',
    scenario: stallDamaged((side) => side.redis.set(side.keys.job('1'), 'text')),
    theirs: losesTheStalledJob('WRONGTYPE'),
    ours: (result) => {
      assert.deepEqual(last(result), { value: [] });
      assert.deepEqual(heldBy(result, 'active'), ['1']);
      assert.deepEqual(heldBy(result, 'stalled'), ['1']);
    },
  },
  {
    what: 'a stalled job while wait is no list',
    why: 'as above; ours stops before it began',
    scenario: stallDamaged((side) => side.redis.set(side.keys.wait(), 'text')),
    theirs: (result) => {
      diesWith('WRONGTYPE')(result);
      assert.equal(heldBy(result, 'active'), undefined);
    },
    ours: (result) => {
      diesWith('WRONGTYPE')(result);
      assert.deepEqual(heldBy(result, 'active'), ['1']);
      assert.deepEqual(heldBy(result, 'stalled'), ['1']);
    },
  },
  {
    what: 'promoting a job whose key is no hash',
    why: 'the reference dies when the job is out of delayed and in no list yet; ours stops before it began',
    scenario: async (side) => {
      await side.add({ timestamp: FUTURE, delay: 5 });
      await side.redis.set(side.keys.job('1'), 'text');
      await side.promote('1');
    },
    theirs: (result) => {
      diesWith('WRONGTYPE')(result);
      assert.equal(heldBy(result, 'delayed'), undefined);
    },
    ours: (result) => {
      diesWith('WRONGTYPE')(result);
      assert.ok(heldBy(result, 'delayed'));
    },
  },
  {
    what: 'promoting a job whose priority is "nan"',
    why: 'the reference takes the text for a number, dies at the score, and the job is lost; ours takes it for none',
    scenario: async (side) => {
      await side.add({ timestamp: FUTURE, delay: 5 });
      await side.redis.hset(side.keys.job('1'), 'priority', 'nan');
      await side.promote('1');
    },
    theirs: (result) => {
      diesWith('ERR')(result);
      assert.equal(heldBy(result, 'delayed'), undefined);
      assert.equal(heldBy(result, 'wait'), undefined);
    },
    ours: (result) => assert.deepEqual(heldBy(result, 'wait'), ['1']),
  },
  ...(['wait', 'job'] as const).map((key) => ({
    what: key === 'wait' ? 'retrying while wait is no list' : 'retrying a job whose key is no hash',
    why: 'the reference dies when the job is out of its finished set and in no list yet; ours stops before it began',
    scenario: async (side: Side) => {
      await side.redis.zadd(side.keys.failed(), 1, 'x');
      await side.redis.hset(side.keys.job('x'), 'name', 'job');
      await side.redis.set(key === 'wait' ? side.keys.wait() : side.keys.job('x'), 'text');
      await side.retry('x', 'failed');
    },
    theirs: (result: Result) => {
      diesWith('WRONGTYPE')(result);
      assert.equal(heldBy(result, 'failed'), undefined);
    },
    ours: (result: Result) => {
      diesWith('WRONGTYPE')(result);
      assert.deepEqual(heldBy(result, 'failed'), [['x', '1']]);
    },
  })),
  ...['opts.maxLenEvents', 'concurrency'].map((setting) => ({
    what: `adding a job while the setting ${setting} is no number`,
    why: 'the reference dies half-way: the job is stored and reaches no list, or is never announced',
    scenario: async (side: Side) => {
      await side.redis.hset(side.keys.meta(), setting, 'lots');
      await side.add({ timestamp: PAST });
    },
    theirs: diesWith('ERR'),
    ours: (result: Result) => {
      assert.deepEqual(last(result), { value: '1' });
      assert.deepEqual(heldBy(result, 'wait'), ['1']);
      assert.deepEqual(lastEvent(result), ['event', 'waiting', 'jobId', '1']);
    },
  })),
  {
    what: 'a counter past 14 digits',
    why: 'the reference names the hash with 14 digits, so jobs overwrite each other and the ids in wait have no hash',
    scenario: async (side) => {
      await side.redis.set(side.keys.id(), '99999999999999');
      await side.add({ timestamp: PAST }, { first: true });
      await side.add({ timestamp: PAST }, { first: false });
    },
    theirs: (result) => {
      assert.deepEqual(heldBy(result, 'wait'), ['100000000000001', '100000000000000']);
      assert.equal(fieldOf(result, '1e+14', 'data'), '{"first":false}');
      assert.equal(heldBy(result, '100000000000000'), undefined);
    },
    ours: (result) => {
      assert.deepEqual(heldBy(result, 'wait'), ['100000000000001', '100000000000000']);
      assert.equal(fieldOf(result, '100000000000000', 'data'), '{"first":true}');
      assert.equal(fieldOf(result, '100000000000001', 'data'), '{"first":false}');
    },
  },
  {
    what: 'a new parent for a completed job that has no return value',
    why: 'the reference dies after the counter moved; ours notes the value null',
    scenario: async (side) => {
      await side.add({ timestamp: PAST, jobId: 'child' });
      await side.complete(await side.fetch());
      await side.redis.hdel(side.keys.job('child'), 'returnvalue');
      await side.add({ timestamp: PAST, jobId: 'parent' });
      await side.add({
        timestamp: PAST,
        jobId: 'child',
        parent: { id: 'parent', queue: side.keys.queueKey },
      });
    },
    theirs: diesWith('ERR'),
    ours: (result) => {
      assert.deepEqual(last(result), { value: 'child' });
      assert.deepEqual(heldBy(result, 'parent:processed'), { 'emq:Q:child': 'null' });
    },
  },
  ...MANAGEMENT_DIFFERENCES,
  ...ACTIVE_DIFFERENCES,
];

describe('our scripts do better than the reference, and only here', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  for (const { what, why, scenario, ours, theirs } of DIFFERENCES) {
    it(`${what}: ${why}`, async () => {
      const results = await both.run(scenario);
      theirs(results.theirs);
      ours(results.ours);
    });
  }
});
