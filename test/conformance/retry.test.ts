/** Running finished jobs again: every branch of `reprocessJob-8`. */
import { PAST } from './support/operations';
import { Comparison, type Side } from './support/scenario';

describe('retrying a job leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  const addFailed = async (side: Side, options = {}) => {
    await side.add({ timestamp: PAST, ...options });
    await side.fail(await side.fetch());
  };
  const addCompleted = async (side: Side, options = {}) => {
    await side.add({ timestamp: PAST, ...options });
    await side.complete(await side.fetch());
  };

  it('failed: to the head of wait, reason dropped, stack trace and attempts kept', () =>
    both.assertSame(async (side) => {
      await addFailed(side);
      await side.add({ timestamp: PAST });
      await side.retry('1', 'failed');
    }));

  it('completed: to the head of wait, return value dropped', () =>
    both.assertSame(async (side) => {
      await addCompleted(side);
      await side.retry('1', 'completed');
    }));

  it('with the option lifo: to the end that is served next', () =>
    both.assertSame(async (side) => {
      await addFailed(side, { lifo: true });
      await side.add({ timestamp: PAST });
      await side.retry('1', 'failed');
    }));

  for (const options of [
    { resetAttemptsMade: true },
    { resetAttemptsStarted: true },
    { resetAttemptsMade: true, resetAttemptsStarted: true },
  ]) {
    it(`with ${Object.keys(options).join(' and ')}`, () =>
      both.assertSame(async (side) => {
        await addFailed(side);
        await side.retry('1', 'failed', options);
      }));
  }

  it('a job with a priority: to wait, not to prioritized', () =>
    both.assertSame(async (side) => {
      await addFailed(side, { priority: 3 });
      await side.retry('1', 'failed');
    }));

  it('into a paused queue: to paused, without a marker', () =>
    both.assertSame(async (side) => {
      await addFailed(side);
      await side.queue.pause();
      await side.retry('1', 'failed');
    }));

  it('into a queue at its concurrency: without a marker', () =>
    both.assertSame(async (side) => {
      await addFailed(side);
      await side.queue.setGlobalConcurrency(1);
      await side.add({ timestamp: PAST });
      await side.fetch();
      await side.redis.del(side.keys.marker());
      await side.retry('1', 'failed');
    }));

  it('a job whose hash is gone: -1', () =>
    both.assertSame(async (side) => {
      await addFailed(side);
      await side.redis.del(side.keys.job('1'));
      await side.retry('1', 'failed');
    }));

  it('a job that waits: -3', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await side.retry('1', 'failed');
    }));

  it('a completed job as a failed one: -3, and the other way round', () =>
    both.assertSame(async (side) => {
      await addCompleted(side);
      await addFailed(side);
      await side.retry('1', 'failed');
      await side.retry('2', 'completed');
    }));

  it('twice: -3 the second time', () =>
    both.assertSame(async (side) => {
      await addFailed(side);
      await side.retry('1', 'failed');
      await side.retry('1', 'failed');
    }));

  it("with somebody's lock on the job: the lock is not looked at", () =>
    both.assertSame(async (side) => {
      await addFailed(side);
      await side.redis.set(side.keys.lock('1'), 'foreign', 'PX', 60000);
      await side.retry('1', 'failed');
    }));

  it('again and again: the stack trace keeps growing', () =>
    both.assertSame(async (side) => {
      await addFailed(side);
      for (let i = 0; i < 3; i++) {
        await side.retry('1', 'failed');
        await side.fail(await side.fetch());
      }
    }));

  it('without a cap of events: the default is written down', () =>
    both.assertSame(async (side) => {
      await addFailed(side);
      await side.redis.del(side.keys.meta());
      await side.retry('1', 'failed');
    }));

  it('with a small cap of events: the stream is trimmed alike', () =>
    both.assertSame(async (side) => {
      for (let i = 0; i < 150; i++) await side.add({ timestamp: PAST });
      await side.fail(await side.fetch());
      await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
      await side.retry('1', 'failed');
    }));
});
