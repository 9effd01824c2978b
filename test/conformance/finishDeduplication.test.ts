/** What finishing does where the job owns a deduplication id: the branches of `moveToFinished-14` around it. */
import assert from 'node:assert/strict';
import { type AddOptions, PAST } from './support/operations';
import { Comparison, type Side } from './support/scenario';
import { type Finish, fetchJob, finishJob, NOW } from './support/workerCalls';

const plain = { timestamp: PAST };
type Deduplication = NonNullable<AddOptions['deduplication']>;
const keepLast = { id: 'd', keepLastIfActive: true };

describe('finishing the owner of a deduplication id leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  /** An active owner, and another job rejected in its favour and kept. */
  const addOwner = async (side: Side, later: object = {}, first: Deduplication = keepLast) => {
    await side.add({ ...plain, deduplication: first });
    await fetchJob(side);
    await side.add({ ...plain, deduplication: keepLast, ...later }, { n: 'later', list: [] }, 'later');
    assert.equal(await side.redis.exists(side.keys.deduplicationNext('d')), 1, 'the job was kept');
  };

  const outcomes: Record<string, Finish> = {
    completed: {},
    failed: { target: 'failed' },
    removed: { keepJobs: { count: 0 } },
  };
  for (const [outcome, finish] of Object.entries(outcomes)) {
    for (const [mode, deduplication] of Object.entries({
      'without a time to live': { id: 'd' },
      'with a time to live that runs': { id: 'd', ttl: 600000 },
      'that keeps the last, and there was none': keepLast,
    })) {
      it(`${outcome}, ${mode}`, () =>
        both.assertSame(async (side) => {
          await side.add({ ...plain, deduplication });
          await fetchJob(side);
          await finishJob(side, '1', finish);
          await side.add({ ...plain, deduplication });
        }));
    }

    for (const [kind, later] of Object.entries({
      plain: {},
      lifo: { lifo: true },
      delayed: { delay: 5000 },
      prioritized: { priority: 3 },
      'delayed and prioritized': { delay: 5000, priority: 3 },
      'with an id of its own': { jobId: 'mine' },
      'with options of its own': { attempts: 3, removeOnComplete: { age: 3600 }, custom: { a: [1, 'x'] } },
      'with a time to live': { deduplication: { ...keepLast, ttl: 600000 } },
    })) {
      it(`${outcome}, and the job kept for then is added: ${kind}`, () =>
        both.assertSame(async (side) => {
          await addOwner(side, later);
          await side.add(plain);
          await finishJob(side, '1', finish);
        }));
    }
  }

  it('owner by a time to live that runs, and a job kept nevertheless', () =>
    both.assertSame(async (side) => {
      await addOwner(side, {}, { id: 'd', ttl: 600000 });
      await finishJob(side, '1');
    }));

  it('the id has another owner by then', () =>
    both.assertSame(async (side) => {
      await addOwner(side);
      await side.redis.set(side.keys.deduplication('d'), 'another');
      await finishJob(side, '1');
    }));

  it('the id has another owner by then, and nothing was kept', () =>
    both.assertSame(async (side) => {
      await side.add({ ...plain, deduplication: { id: 'd' } });
      await fetchJob(side);
      await side.redis.set(side.keys.deduplication('d'), 'another');
      await finishJob(side, '1');
    }));

  it('the id has no owner any more, and a job was kept', () =>
    both.assertSame(async (side) => {
      await addOwner(side);
      await side.redis.del(side.keys.deduplication('d'));
      await finishJob(side, '1');
    }));

  it('the job kept is fetched at once', () =>
    both.assertSame(async (side) => {
      await addOwner(side);
      await finishJob(side, '1', { fetchNext: true });
      await finishJob(side, '2', { fetchNext: true });
    }));

  it('a job is kept for each one that runs', () =>
    both.assertSame(async (side) => {
      await addOwner(side);
      await finishJob(side, '1', { fetchNext: true });
      await side.add({ ...plain, deduplication: keepLast }, { n: 'last' });
      await side.add({ ...plain, deduplication: keepLast }, { n: 'very last' });
      await finishJob(side, String(await side.redis.lindex(side.keys.active(), 0)), { fetchNext: true });
    }));

  it('the job kept goes into a paused queue', () =>
    both.assertSame(async (side) => {
      await addOwner(side);
      await side.queue.pause();
      await side.redis.del(side.keys.marker());
      await finishJob(side, '1');
    }));

  it('the job kept goes into a paused queue, with a priority', () =>
    both.assertSame(async (side) => {
      await addOwner(side, { priority: 2 });
      await side.queue.pause();
      await side.redis.del(side.keys.marker());
      await finishJob(side, '1');
    }));

  it('the job kept goes into a queue that stays at its concurrency', () =>
    both.assertSame(async (side) => {
      await addOwner(side);
      await side.add(plain);
      await fetchJob(side);
      await side.queue.setGlobalConcurrency(1);
      await side.redis.del(side.keys.marker());
      await finishJob(side, '1');
    }));

  it('the job kept is due in the same millisecond as others', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: NOW, delay: 5000 });
      await side.add({ ...plain, deduplication: keepLast });
      await fetchJob(side, { timestamp: PAST });
      await side.add({ ...plain, deduplication: keepLast, delay: 5000 });
      await finishJob(side, '2');
    }));

  it('the job kept has a parent and a repeat job key', () =>
    both.assertSame(async (side) => {
      await side.add({ ...plain, jobId: 'parent' });
      await fetchJob(side);
      const parent = { id: 'parent', queue: side.keys.queueKey };
      await addOwner(side, { parent, repeatJobKey: 'r', failParentOnFailure: true });
      await finishJob(side, '2');
    }));

  it('the stream is trimmed alike', () =>
    both.assertSame(async (side) => {
      await addOwner(side);
      for (let i = 0; i < 150; i++) await side.add(plain);
      await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
      await finishJob(side, '1');
    }));
});
