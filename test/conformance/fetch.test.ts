/** Fetching the next job: every branch of `moveToActive-11`. */
import { PAST } from './support/operations';
import { Comparison, type Side } from './support/scenario';
import { fetchJob, NOW } from './support/workerCalls';

describe('fetching a job leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  const plain = { timestamp: PAST };
  /** A job that is due at NOW. */
  const due = { timestamp: NOW - 1000, delay: 1000 };
  const addMany = async (side: Side, n: number, options: object = plain) => {
    for (let i = 0; i < n; i++) await side.add({ ...plain, ...options });
  };

  it('nothing at all: four zeros', () =>
    both.assertSame(async (side) => {
      await fetchJob(side);
    }));

  it('plain jobs: the oldest first, and the marker is set again', () =>
    both.assertSame(async (side) => {
      await addMany(side, 3);
      await side.redis.del(side.keys.marker());
      await fetchJob(side);
      await fetchJob(side);
    }));

  it('a lifo job: before the others', () =>
    both.assertSame(async (side) => {
      await addMany(side, 2);
      await side.add({ ...plain, lifo: true });
      await fetchJob(side);
    }));

  for (const name of ['worker', '']) {
    it(`by a worker whose name is "${name}"`, () =>
      both.assertSame(async (side) => {
        await side.add(plain);
        await fetchJob(side, { name });
      }));
  }

  it('with the token 0: no lock, and one that is there stays', () =>
    both.assertSame(async (side) => {
      await addMany(side, 2);
      await side.redis.set(side.keys.lock('2'), 'other');
      await fetchJob(side, { token: '0' });
      await fetchJob(side, { token: '0' });
    }));

  it("another worker's lock is overwritten", () =>
    both.assertSame(async (side) => {
      await side.add(plain);
      await side.redis.set(side.keys.lock('1'), 'other');
      await fetchJob(side);
    }));

  it('fetched a second time: attempts started are counted, the time is overwritten, a mark stays', () =>
    both.assertSame(async (side) => {
      await side.add(plain);
      await fetchJob(side, { name: 'first' });
      await side.redis.rpoplpush(side.keys.active(), side.keys.wait());
      await side.redis.sadd(side.keys.stalled(), '1');
      await fetchJob(side, { timestamp: NOW + 5 });
    }));

  it('jobs with a priority: in its order, after the plain ones, and then priorities count anew', () =>
    both.assertSame(async (side) => {
      for (const priority of [3, 1, 3, 2]) await side.add({ ...plain, priority });
      await side.add(plain);
      for (let i = 0; i < 6; i++) await fetchJob(side);
    }));

  it('a paused queue: four zeros, with and without jobs with a priority', () =>
    both.assertSame(async (side) => {
      await side.add(plain);
      await side.queue.pause();
      await fetchJob(side);
      await side.add({ ...plain, priority: 1 });
      await fetchJob(side);
    }));

  it('a paused queue: due jobs go to paused or prioritized, without a base marker', () =>
    both.assertSame(async (side) => {
      await side.add(due);
      await side.add({ ...due, priority: 2 });
      await side.queue.pause();
      await fetchJob(side);
    }));

  it('a queue at its concurrency: four zeros, and due jobs are promoted without a base marker', () =>
    both.assertSame(async (side) => {
      await side.queue.setGlobalConcurrency(1);
      await addMany(side, 2);
      await side.add(due);
      await fetchJob(side, { timestamp: PAST });
      await side.redis.del(side.keys.marker());
      await fetchJob(side);
    }));

  it('a queue below its concurrency', () =>
    both.assertSame(async (side) => {
      await side.queue.setGlobalConcurrency(2);
      await addMany(side, 3);
      for (let i = 0; i < 3; i++) await fetchJob(side);
    }));

  describe('delayed jobs', () => {
    it('none due: the time of the earliest, and priorities count anew', () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: NOW, delay: 7000 });
        await side.add({ timestamp: NOW, delay: 5000 });
        await side.redis.set(side.keys.priorityCounter(), '9');
        await fetchJob(side);
      }));

    it('none due, the earliest on a later place of its millisecond: a whole number of ms', () =>
      both.assertSame(async (side) => {
        await addMany(side, 3, { timestamp: NOW, delay: 5000 });
        await side.redis.zrem(side.keys.delayed(), '1', '2');
        await fetchJob(side);
      }));

    for (const [when, timestamp] of [
      ['a millisecond before it is due', NOW - 1],
      ['at the millisecond it is due', NOW],
      ['later', NOW + 1],
    ] as const) {
      it(`${when}`, () =>
        both.assertSame(async (side) => {
          await addMany(side, 2, due);
          await fetchJob(side, { timestamp });
        }));
    }

    it('on the last place of the millisecond that is due, and on the first of the next', () =>
      both.assertSame(async (side) => {
        await side.redis.zadd(side.keys.delayed(), (NOW + 1) * 4096 - 1, 'last', (NOW + 1) * 4096, 'next');
        await fetchJob(side);
      }));

    it('due: promoted in order and the first is fetched, after what waits already', () =>
      both.assertSame(async (side) => {
        await side.add(plain);
        await side.add({ ...due, delay: 900 });
        await side.add({ ...due, delay: 100 });
        await side.add({ ...due, delay: 5000 });
        for (let i = 0; i < 4; i++) await fetchJob(side);
      }));

    it('due with a priority: behind all of its priority', () =>
      both.assertSame(async (side) => {
        await side.add({ ...plain, priority: 4 });
        await side.add({ ...due, priority: 4 });
        await side.add({ ...due, priority: 1 });
        await fetchJob(side);
        await fetchJob(side);
      }));

    it('due with the option lifo: it is not looked at', () =>
      both.assertSame(async (side) => {
        await addMany(side, 2);
        await side.add({ ...due, lifo: true });
        await fetchJob(side);
      }));

    it('due, and their hashes are gone: moved, and hashes with a delay are left', () =>
      both.assertSame(async (side) => {
        await addMany(side, 2, due);
        await side.redis.del(side.keys.job('1'), side.keys.job('2'));
        await fetchJob(side);
      }));

    it('1200 due: 1000 a time', () =>
      both.assertSame(async (side) => {
        const members = Array.from({ length: 1200 }, (_, i) => [PAST * 4096 + i, `bulk${i}`]).flat();
        await side.redis.zadd(side.keys.delayed(), ...members);
        await fetchJob(side);
        await fetchJob(side);
      }));

    it('due, and their events are not trimmed', () =>
      both.assertSame(async (side) => {
        await addMany(side, 150, due);
        await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
        await fetchJob(side);
      }));
  });

  describe('the rate limit', () => {
    const limiter = { max: 2, duration: 600000 };

    it("the worker's: counted, and reached", () =>
      both.assertSame(async (side) => {
        await addMany(side, 3);
        for (let i = 0; i < 3; i++) await fetchJob(side, { limiter });
      }));

    it('counts jobs with a priority and due ones as well', () =>
      both.assertSame(async (side) => {
        await side.add({ ...plain, priority: 1 });
        await side.add(due);
        for (let i = 0; i < 3; i++) await fetchJob(side, { limiter });
      }));

    it('reached: due jobs are promoted all the same', () =>
      both.assertSame(async (side) => {
        await addMany(side, 2);
        await fetchJob(side, { limiter: { ...limiter, max: 1 } });
        await side.add(due);
        await side.redis.del(side.keys.marker());
        await fetchJob(side, { limiter: { ...limiter, max: 1 } });
      }));

    it('reached in a paused queue, and in one at its concurrency: the time, not zeros', () =>
      both.assertSame(async (side) => {
        await addMany(side, 2);
        await fetchJob(side, { limiter: { ...limiter, max: 1 } });
        await side.queue.setGlobalConcurrency(1);
        await fetchJob(side, { limiter: { ...limiter, max: 1 } });
        await side.queue.pause();
        await fetchJob(side, { limiter: { ...limiter, max: 1 } });
      }));

    it('reached with nothing to fetch', () =>
      both.assertSame(async (side) => {
        await side.add(plain);
        for (let i = 0; i < 2; i++) await fetchJob(side, { limiter: { ...limiter, max: 1 } });
      }));

    it("the queue's alone: its number and its window", () =>
      both.assertSame(async (side) => {
        await side.queue.setGlobalRateLimit(1, 700000);
        await addMany(side, 2);
        for (let i = 0; i < 2; i++) await fetchJob(side);
      }));

    it("the queue's and the worker's: the queue's number, the worker's window", () =>
      both.assertSame(async (side) => {
        await side.queue.setGlobalRateLimit(1, 300000);
        await addMany(side, 2);
        for (let i = 0; i < 2; i++) await fetchJob(side, { limiter });
      }));

    it('a window lapsed: a new one begins', () =>
      both.assertSame(async (side) => {
        await addMany(side, 3);
        for (let i = 0; i < 2; i++) await fetchJob(side, { limiter: { max: 1, duration: 600000 } });
        await side.redis.del(side.keys.limiter());
        await fetchJob(side, { limiter: { max: 1, duration: 600000 } });
      }));

    for (const duration of [-600000, 600000.9]) {
      it(`a window of ${duration} ms: its whole amount`, () =>
        both.assertSame(async (side) => {
          await addMany(side, 2);
          for (let i = 0; i < 2; i++) await fetchJob(side, { limiter: { max: 1, duration } });
        }));
    }

    for (const max of [0, -1, 1.5]) {
      it(`a number of jobs of ${max}`, () =>
        both.assertSame(async (side) => {
          await addMany(side, 3);
          for (let i = 0; i < 3; i++) await fetchJob(side, { limiter: { max, duration: 600000 } });
        }));
    }

    it('a counter without an expiry limits nothing, and goes on counting', () =>
      both.assertSame(async (side) => {
        await addMany(side, 2);
        await side.redis.set(side.keys.limiter(), '5');
        await fetchJob(side, { limiter });
      }));

    it('a counter that is no number: the call fails, nothing changes', () =>
      both.assertSame(async (side) => {
        await side.add(plain);
        await side.redis.set(side.keys.limiter(), 'text', 'PX', 600000);
        await fetchJob(side, { limiter });
      }));

    it('a limit by hand: stops a worker with a limit', () =>
      both.assertSame(async (side) => {
        await side.add(plain);
        await side.queue.rateLimit(600000);
        await fetchJob(side, { limiter });
      }));

    it('a limit by hand: does not stop a worker without one', () =>
      both.assertSame(async (side) => {
        await side.add(plain);
        await side.queue.rateLimit(600000);
        await fetchJob(side);
      }));
  });

  describe('what does not belong there', () => {
    it('an id without a hash: handed out, and a hash is left', () =>
      both.assertSame(async (side) => {
        await side.redis.rpush(side.keys.wait(), 'ghost');
        await fetchJob(side, { name: 'worker' });
      }));

    it('an old marker in wait: dropped, and the next id is taken', () =>
      both.assertSame(async (side) => {
        await side.add(plain);
        await side.redis.rpush(side.keys.wait(), '0:0');
        await fetchJob(side);
      }));

    it('an old marker alone in wait: dropped, and prioritized comes next', () =>
      both.assertSame(async (side) => {
        await side.add({ ...plain, priority: 1 });
        await side.redis.rpush(side.keys.wait(), '0:4102444800000');
        await fetchJob(side);
      }));

    it('an old marker alone: dropped', () =>
      both.assertSame(async (side) => {
        await side.redis.rpush(side.keys.wait(), '0:0');
        await fetchJob(side);
      }));

    it('a key in the place of the hash that is none: the job is active and locked, and the call fails', () =>
      both.assertSame(async (side) => {
        await side.add(plain);
        await side.redis.set(side.keys.job('1'), 'text');
        await fetchJob(side);
      }));

    it('a wait that is no list: the call fails', () =>
      both.assertSame(async (side) => {
        await side.redis.set(side.keys.wait(), 'text');
        await fetchJob(side);
      }));

    it('a priority of a due job that is no number, or negative', () =>
      both.assertSame(async (side) => {
        await addMany(side, 4, due);
        for (const [i, priority] of ['', 'text', '-2', '1.5'].entries()) {
          await side.redis.hset(side.keys.job(`${i + 1}`), 'priority', priority);
        }
        await fetchJob(side);
      }));
  });
});
