/** Moving many jobs back to run: every branch of `moveJobsToWait-8`. */
import { moveJobsToWait, NOW } from './support/managementCalls';
import { FUTURE, PAST } from './support/operations';
import { Comparison, type Side } from './support/scenario';

describe('retrying and promoting many jobs leave what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  const addFailed = async (side: Side, count: number, options = {}) => {
    for (let i = 0; i < count; i++) {
      await side.add({ timestamp: PAST, ...options });
      await side.fail(await side.fetch());
    }
  };
  const addCompleted = async (side: Side, count: number) => {
    for (let i = 0; i < count; i++) {
      await side.add({ timestamp: PAST });
      await side.complete(await side.fetch());
    }
  };

  it('failed: the earliest runs first, the reason is dropped, attempts and stack trace are kept', () =>
    both.assertSame(async (side) => {
      await addFailed(side, 3);
      await side.add({ timestamp: PAST });
      await moveJobsToWait(side, 'failed');
    }));

  it('completed: the return value is dropped', () =>
    both.assertSame(async (side) => {
      await addCompleted(side, 2);
      await moveJobsToWait(side, 'completed');
    }));

  it('delayed: the hash stays as it is', () =>
    both.assertSame(async (side) => {
      for (const delay of [9, 3, 6]) await side.add({ timestamp: FUTURE, delay });
      await moveJobsToWait(side, 'delayed');
    }));

  for (const count of [1, 2, 3, 4]) {
    it(`${count} of three at most: the answer is whether so many were moved`, () =>
      both.assertSame(async (side) => {
        await addFailed(side, 3);
        await moveJobsToWait(side, 'failed', { count });
      }));
  }

  it('up to a score: the others stay', () =>
    both.assertSame(async (side) => {
      await addFailed(side, 3);
      for (const id of ['1', '2', '3']) await side.redis.zadd(side.keys.failed(), NOW + Number(id), id);
      await moveJobsToWait(side, 'failed', { maxScore: NOW + 2 });
    }));

  it('with priorities, or the option lifo: to the plain list, and to its head', () =>
    both.assertSame(async (side) => {
      await addFailed(side, 1, { priority: 3 });
      await addFailed(side, 1, { lifo: true });
      await side.add({ timestamp: FUTURE, delay: 5, priority: 2 });
      await side.add({ timestamp: PAST });
      await moveJobsToWait(side, 'failed');
      await moveJobsToWait(side, 'delayed');
    }));

  it('into a paused queue: to paused, without a marker', () =>
    both.assertSame(async (side) => {
      await addFailed(side, 2);
      await side.queue.pause();
      await moveJobsToWait(side, 'failed');
    }));

  it('into a queue at its concurrency: without a marker', () =>
    both.assertSame(async (side) => {
      await addFailed(side, 2);
      await side.queue.setGlobalConcurrency(1);
      await side.add({ timestamp: PAST });
      await side.fetch();
      await side.redis.del(side.keys.marker());
      await moveJobsToWait(side, 'failed');
    }));

  it('nothing to move: nothing changes', () =>
    both.assertSame(async (side) => {
      await moveJobsToWait(side, 'failed');
      await side.redis.del(side.keys.meta());
      await moveJobsToWait(side, 'delayed');
    }));

  it('ids whose hash is gone: moved all the same', () =>
    both.assertSame(async (side) => {
      await addFailed(side, 2);
      await side.redis.del(side.keys.job('1'));
      await moveJobsToWait(side, 'failed');
    }));

  it('with a small cap of events: the stream is trimmed', () =>
    both.assertSame(async (side) => {
      for (let i = 0; i < 110; i++) await side.add({ timestamp: FUTURE, delay: 5 });
      await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
      await moveJobsToWait(side, 'delayed');
    }));

  it('more than fit into one call of a function', () =>
    both.assertSame(async (side) => {
      const entries = Array.from({ length: 7500 }, (_, i) => [i, `${i}`]).flat();
      await side.redis.zadd(side.keys.failed(), ...entries);
      await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
      await moveJobsToWait(side, 'failed', { count: 7400 });
    }));
});
