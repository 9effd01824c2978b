/** Promoting delayed jobs: every branch of `promote-9`. */
import { FUTURE, PAST } from './support/operations';
import { Comparison } from './support/scenario';

describe('promoting a job leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  const later = { timestamp: FUTURE, delay: 1000 };

  it('plain: to the head of wait, and the marker of the due time stays behind', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await side.add(later);
      await side.promote('2');
    }));

  it('with the option lifo: still to the head', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await side.add({ ...later, lifo: true });
      await side.promote('2');
    }));

  it('with a priority: into prioritized', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, priority: 5 });
      await side.add({ ...later, priority: 5 });
      await side.promote('2');
    }));

  it('plain, in a paused queue: into paused, without a base marker', () =>
    both.assertSame(async (side) => {
      await side.add(later);
      await side.queue.pause();
      await side.promote('1');
    }));

  it('with a priority, in a paused queue: into prioritized, without a base marker', () =>
    both.assertSame(async (side) => {
      await side.add({ ...later, priority: 2 });
      await side.queue.pause();
      await side.promote('1');
    }));

  it('in a queue at its concurrency: no base marker', () =>
    both.assertSame(async (side) => {
      await side.queue.setGlobalConcurrency(1);
      await side.add({ timestamp: PAST });
      await side.add(later);
      await side.add({ ...later, priority: 1 });
      await side.fetch();
      await side.redis.del(side.keys.marker());
      await side.promote('2');
      await side.promote('3');
    }));

  it('not delayed: -3', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await side.promote('1');
    }));

  it('twice: -3 the second time', () =>
    both.assertSame(async (side) => {
      await side.add(later);
      await side.promote('1');
      await side.promote('1');
    }));

  it('a job that does not exist: -3', () =>
    both.assertSame(async (side) => {
      await side.add(later);
      await side.promote('unknown');
    }));

  it('an id whose hash is gone: moved, and a hash with its delay is left', () =>
    both.assertSame(async (side) => {
      await side.add(later);
      await side.redis.del(side.keys.job('1'));
      await side.promote('1');
    }));

  it('a legacy marker at the head of wait: taken off', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await side.add(later);
      await side.redis.lpush(side.keys.wait(), '0:4102444800000');
      await side.promote('2');
    }));

  it('a legacy marker at the head of paused: taken off', () =>
    both.assertSame(async (side) => {
      await side.add(later);
      await side.queue.pause();
      await side.redis.lpush(side.keys.paused(), '0:0');
      await side.promote('1');
    }));

  it('a legacy marker at the head of wait, and a job with a priority', () =>
    both.assertSame(async (side) => {
      await side.add({ ...later, priority: 4 });
      await side.redis.lpush(side.keys.wait(), 'other', '0:0');
      await side.promote('1');
    }));

  it('a legacy marker that is not at the head: left', () =>
    both.assertSame(async (side) => {
      await side.add(later);
      await side.redis.rpush(side.keys.wait(), 'other', '0:0');
      await side.promote('1');
    }));

  it('a priority that is negative or no whole number', () =>
    both.assertSame(async (side) => {
      for (const priority of ['-2', '1.5', 'text', '']) {
        await side.add(later);
        await side.redis.hset(
          side.keys.job(String(await side.redis.get(side.keys.id()))),
          'priority',
          priority,
        );
      }
      for (const id of ['1', '2', '3', '4']) await side.promote(id);
    }));

  it('the stream is not trimmed', () =>
    both.assertSame(async (side) => {
      for (let i = 0; i < 110; i++) await side.add(later);
      await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
      for (let i = 1; i <= 110; i++) await side.promote(`${i}`);
    }));
});
