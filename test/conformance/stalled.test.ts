/** The pass for stalled jobs: every branch of `moveStalledJobsToWait-8`. */
import { PAST } from './support/operations';
import { Comparison, type Side } from './support/scenario';

describe('a pass for stalled jobs leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  /** A pass once the throttle of the one before has lapsed. */
  const pass = async (side: Side, maxStalls = 1) => {
    await side.lapseThrottle();
    await side.recoverStalled(maxStalls);
  };
  const addLost = async (side: Side, options = {}) => {
    await side.add({ timestamp: PAST, ...options });
    await side.loseLock(await side.fetch());
  };

  it('on an empty queue: only the throttle', () => both.assertSame((side) => pass(side)));

  it('first: marks what is active and recovers nothing', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await side.add({ timestamp: PAST });
      await side.fetch();
      await pass(side);
    }));

  it('second: recovers the job without a lock and leaves the one with a lock', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await side.add({ timestamp: PAST });
      await side.fetch();
      await pass(side);
      await pass(side);
    }));

  it('while the throttle stands: nothing', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await side.recoverStalled(1);
      await side.recoverStalled(1);
    }));

  it('the recovered job is served next', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await side.add({ timestamp: PAST });
      await pass(side);
      await pass(side);
    }));

  it('a job marked and finished since: left alone', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      const job = await side.fetch();
      await pass(side);
      await side.complete(job);
      await pass(side);
    }));

  it('a marked id that is nowhere: left alone', () =>
    both.assertSame(async (side) => {
      await side.redis.sadd(side.keys.stalled(), 'ghost');
      await pass(side);
    }));

  it('over the limit: a deferred failure is noted, and the job waits', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      for (let i = 0; i < 2; i++) {
        await pass(side);
        await pass(side);
        await side.loseLock(await side.fetch());
      }
      await pass(side);
      await pass(side);
    }));

  it('with a limit of 0: the first stall is over it', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await pass(side, 0);
      await pass(side, 0);
    }));

  it('an iteration of a scheduler: exempt from the limit', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await side.redis.hset(side.keys.job('1'), 'opts', '{"attempts":0,"repeat":{"every":1000}}');
      await pass(side, 0);
      await pass(side, 0);
    }));

  it('options whose repeat is null, or which are an array or a text', () =>
    both.assertSame(async (side) => {
      for (const opts of ['{"attempts":0,"repeat":null}', '[]', '"text"']) {
        await addLost(side);
        await side.redis.hset(side.keys.job(String(await side.redis.get(side.keys.id()))), 'opts', opts);
      }
      await pass(side, 0);
      await pass(side, 0);
    }));

  for (const maxStalls of [0, 1]) {
    it(`an id whose hash is gone, with a limit of ${maxStalls}`, () =>
      both.assertSame(async (side) => {
        await addLost(side);
        await side.redis.del(side.keys.job('1'));
        await pass(side, maxStalls);
        await pass(side, maxStalls);
      }));
  }

  it('a job with a priority: to wait, not to prioritized', () =>
    both.assertSame(async (side) => {
      await addLost(side, { priority: 9 });
      await pass(side);
      await pass(side);
    }));

  it('into a paused queue: to paused, without a base marker', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await side.queue.pause();
      await pass(side);
      await pass(side);
    }));

  it('in a queue at its concurrency: each recovery frees a place for the marker', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await addLost(side);
      await side.queue.setGlobalConcurrency(1);
      await side.redis.del(side.keys.marker());
      await pass(side);
      await pass(side);
    }));

  it('in a queue that stays at its concurrency: no base marker', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await side.add({ timestamp: PAST });
      await side.fetch();
      await side.queue.setGlobalConcurrency(1);
      await side.redis.del(side.keys.marker());
      await pass(side);
      await pass(side);
    }));

  it('legacy markers among the active: taken out, and not reported', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await side.redis.lpush(side.keys.active(), '0:0', '0:4102444800000', '0:0');
      await pass(side);
      await pass(side);
    }));

  it('an id that is active twice: one of them moves', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await side.redis.lpush(side.keys.active(), '1');
      await pass(side);
      await pass(side);
    }));

  it('many jobs: all are marked and all recovered', () =>
    both.assertSame(async (side) => {
      const ids = Array.from({ length: 7100 }, (_, i) => `bulk${i}`);
      await side.redis.lpush(side.keys.active(), ...ids);
      await pass(side);
      await pass(side);
    }));

  it('while paused is no list, in a queue that is not paused: nobody minds', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await side.redis.set(side.keys.paused(), 'text');
      await pass(side);
      await pass(side);
    }));

  it('without a cap of events: the default is written down', () =>
    both.assertSame(async (side) => {
      await addLost(side);
      await side.redis.del(side.keys.meta());
      await pass(side);
      await pass(side);
    }));

  it('with a small cap of events: the stream is trimmed alike, before the moves', () =>
    both.assertSame(async (side) => {
      for (let i = 0; i < 150; i++) await side.add({ timestamp: PAST });
      await side.loseLock(await side.fetch());
      await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
      await pass(side);
      await pass(side);
    }));
});
