/** Adding jobs: every branch of the three add scripts that needs no flow and no deduplication. */
import { FUTURE, PAST } from './support/operations';
import { Comparison } from './support/scenario';

describe('adding a job leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  it('plain: two jobs at the head of wait', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST }, { a: 1 });
      await side.add({ timestamp: PAST + 1 }, { a: 2 });
    }));

  it('plain with lifo: at the end that is served next', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await side.add({ timestamp: PAST, lifo: true });
      await side.add({ timestamp: PAST });
    }));

  it('plain with a custom id: the counter moves all the same', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, jobId: 'mine' });
      await side.add({ timestamp: PAST });
    }));

  for (const [kind, options] of [
    ['plain', {}],
    ['delayed', { delay: 5000 }],
    ['prioritized', { priority: 3 }],
  ] as const) {
    it(`${kind} with the id of a job that exists: a duplicate, and nothing else`, () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: PAST, jobId: 'twice' }, { first: true });
        await side.add({ timestamp: PAST + 9, jobId: 'twice', ...options }, { first: false });
      }));

    it(`${kind} into a paused queue`, () =>
      both.assertSame(async (side) => {
        await side.queue.pause();
        await side.add({ timestamp: PAST, ...options });
        await side.add({ timestamp: PAST, ...options });
      }));

    it(`${kind} into a queue at its concurrency: no base marker`, () =>
      both.assertSame(async (side) => {
        await side.queue.setGlobalConcurrency(1);
        await side.add({ timestamp: PAST });
        await side.fetch();
        await side.redis.del(side.keys.marker());
        await side.add({ timestamp: PAST, ...options });
      }));

    it(`${kind} into a queue below its concurrency`, () =>
      both.assertSame(async (side) => {
        await side.queue.setGlobalConcurrency(2);
        await side.add({ timestamp: PAST });
        await side.fetch();
        await side.redis.del(side.keys.marker());
        await side.add({ timestamp: PAST, ...options });
      }));

    it(`${kind} into a queue without a cap of events: the default is written down`, () =>
      both.assertSame(async (side) => {
        await side.redis.del(side.keys.meta());
        await side.add({ timestamp: PAST, ...options });
      }));

    it(`${kind} with a small cap of events: the stream is trimmed alike`, () =>
      both.assertSame(async (side) => {
        await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
        for (let i = 0; i < 130; i++) await side.add({ timestamp: PAST, ...options });
      }));

    it(`${kind} with a repeat job key`, () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: PAST, repeatJobKey: 'every-minute', ...options });
      }));

    it(`${kind} under a parent that does not exist: -5, and nothing is written`, () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: PAST, parent: { id: 'gone', queue: side.keys.queueKey }, ...options });
      }));
  }

  it('options of every kind of value', () =>
    both.assertSame(async (side) => {
      await side.add({
        timestamp: PAST,
        attempts: 3,
        backoff: { type: 'fixed', delay: 1000 },
        removeOnComplete: { count: 5, age: 60 },
        removeOnFail: true,
        custom: { list: [1, 'two', { three: 3 }], empty: [], nothing: null, path: 'a/b', text: 'ünï ☃' },
        large: 1795971947431123,
        fraction: 0.1,
      });
    }));

  it('data of every kind of text, byte for byte', () =>
    both.assertSame(async (side) => {
      for (const data of [{}, [], 'text', 7, null, { a: '</script>\u0000\n ☃ 𝄞', big: 1e21 }]) {
        await side.add({ timestamp: PAST }, data);
      }
    }));

  it('delayed: due at the same millisecond, one after another', () =>
    both.assertSame(async (side) => {
      for (const delay of [5000, 4999, 5000, 5000, 5001]) await side.add({ timestamp: FUTURE, delay });
    }));

  it('delayed: from different timestamps to the same due millisecond', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: FUTURE, delay: 10 });
      await side.add({ timestamp: FUTURE + 5, delay: 5 });
    }));

  it('delayed: the last place of the millisecond is taken', () =>
    both.assertSame(async (side) => {
      const last = (BigInt(FUTURE) + 10n) * 4096n + 4095n;
      await side.redis.zadd(side.keys.delayed(), last.toString(), 'last');
      await side.add({ timestamp: FUTURE, delay: 10 });
      await side.add({ timestamp: FUTURE, delay: 10 });
      await side.add({ timestamp: FUTURE, delay: 11 });
    }));

  it('delayed: one place before the last', () =>
    both.assertSame(async (side) => {
      const place = (BigInt(FUTURE) + 10n) * 4096n + 4094n;
      await side.redis.zadd(side.keys.delayed(), place.toString(), 'near');
      await side.add({ timestamp: FUTURE, delay: 10 });
      await side.add({ timestamp: FUTURE, delay: 10 });
    }));

  it('delayed: the marker follows the earliest job, with its fraction', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: FUTURE, delay: 100 });
      await side.add({ timestamp: FUTURE, delay: 100 });
      await side.redis.zrem(side.keys.delayed(), '1');
      await side.add({ timestamp: FUTURE, delay: 900 });
    }));

  it('delayed: scores just below and just above 2^53', () =>
    both.assertSame(async (side) => {
      const edge = Number(2n ** 53n / 4096n);
      for (const delay of [7, 8, 9, 10]) {
        await side.add({ timestamp: edge - 10, delay });
        await side.add({ timestamp: edge - 10, delay });
      }
    }));

  it('delayed with a priority: into delayed, the priority is kept in the hash', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: FUTURE, delay: 100, priority: 7 });
    }));

  it('prioritized: 3, 1, 3, 2 in the order of the counter', () =>
    both.assertSame(async (side) => {
      for (const priority of [3, 1, 3, 2]) await side.add({ timestamp: PAST, priority });
    }));

  it('prioritized: the highest priority, 2097152, where scores lose their last digits', () =>
    both.assertSame(async (side) => {
      for (const priority of [2097152, 2097152, 2097151, 2097152])
        await side.add({ timestamp: PAST, priority });
    }));

  it('prioritized: the counter wraps at 2^32', () =>
    both.assertSame(async (side) => {
      await side.redis.set(side.keys.priorityCounter(), '4294967294');
      for (let i = 0; i < 4; i++) await side.add({ timestamp: PAST, priority: 1 });
    }));
});
