/** Which finished jobs are kept, and the metrics: the branches of `moveToFinished-14` that follow a worker's options. */
import { PAST } from './support/operations';
import { Comparison, type Side } from './support/scenario';
import { type Finish, fetchJob, finishJob, NOW } from './support/workerCalls';

const plain = { timestamp: PAST };

describe('what is kept of finished jobs is what the reference keeps', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  /** Finishes n jobs, one each second up to NOW. */
  const finishMany = async (side: Side, n: number, target: 'completed' | 'failed' = 'completed') => {
    for (let i = 1; i <= n; i++) {
      await side.add(plain);
      await fetchJob(side);
      await finishJob(side, `${i}`, { target, timestamp: NOW - (n - i) * 1000 });
    }
  };
  const finishLast = async (side: Side, finish: Finish) => {
    await side.add(plain);
    await fetchJob(side);
    await finishJob(side, String(await side.redis.get(side.keys.id())), finish);
  };

  for (const target of ['completed', 'failed'] as const) {
    it(`${target}, a count of 0: the job is deleted, not its lock, and the event comes all the same`, () =>
      both.assertSame(async (side) => {
        await side.add(plain);
        await fetchJob(side);
        for (const key of [side.keys.logs('1'), side.keys.processed('1')]) {
          await (key.endsWith('logs') ? side.redis.rpush(key, 'x') : side.redis.hset(key, 'x', 'y'));
        }
        await side.redis.set(side.keys.lock('1'), 'other');
        await finishJob(side, '1', { target, token: '0', keepJobs: { count: 0 } });
      }));

    for (const count of [1, 2, 5]) {
      it(`${target}, a count of ${count}`, () =>
        both.assertSame(async (side) => {
          await finishMany(side, 4, target);
          await finishLast(side, { target, keepJobs: { count } });
        }));
    }
  }

  it('a count below 0: all', () =>
    both.assertSame(async (side) => {
      await finishMany(side, 2);
      await finishLast(side, { keepJobs: { count: -1 } });
    }));

  it('jobs of the same moment: by their ids', () =>
    both.assertSame(async (side) => {
      for (let i = 1; i <= 4; i++) await finishLast(side, { keepJobs: { count: 2 } });
    }));

  it('an age: those that are exactly as old go as well', () =>
    both.assertSame(async (side) => {
      await finishMany(side, 5);
      await finishLast(side, { keepJobs: { age: 2 } });
    }));

  it('an age below a second, and one of 0', () =>
    both.assertSame(async (side) => {
      await finishMany(side, 3);
      await finishLast(side, { keepJobs: { age: 0.5 } });
      await finishLast(side, { keepJobs: { age: 0 }, timestamp: NOW + 10 });
    }));

  it('an age and a count', () =>
    both.assertSame(async (side) => {
      await finishMany(side, 6);
      await finishLast(side, { keepJobs: { age: 3, count: 2 } });
    }));

  it('an age and a count of 0: the job alone is deleted', () =>
    both.assertSame(async (side) => {
      await finishMany(side, 4);
      await finishLast(side, { keepJobs: { age: 1, count: 0 } });
    }));

  for (const limit of [1, 2, 4, 9]) {
    it(`an age, at most ${limit} at a time: the newest of the old ones first`, () =>
      both.assertSame(async (side) => {
        await finishMany(side, 5);
        await finishLast(side, { keepJobs: { age: 1, limit } });
      }));
  }

  it('more old ones than the default limit', () =>
    both.assertSame(async (side) => {
      for (let i = 0; i < 1100; i++) await side.redis.zadd(side.keys.completed(), PAST + i, `old${i}`);
      await finishLast(side, { keepJobs: { age: 1 } });
    }));

  it('many beyond the count', () =>
    both.assertSame(async (side) => {
      const members = Array.from({ length: 9000 }, (_, i) => [PAST + i, `old${i}`]).flat();
      await side.redis.zadd(side.keys.completed(), ...members);
      await finishLast(side, { keepJobs: { count: 3 } });
    }));

  it('the jobs that go lose all but their lock, and stay owners of their deduplication id', () =>
    both.assertSame(async (side) => {
      await side.add({ ...plain, deduplication: { id: 'd', ttl: 600000 } });
      await fetchJob(side);
      await finishJob(side, '1', { timestamp: NOW - 1000 });
      await side.redis.rpush(side.keys.logs('1'), 'row');
      await side.redis.set(side.keys.lock('1'), 'other');
      await finishLast(side, { keepJobs: { count: 1 } });
    }));

  it('ids without a hash go as well', () =>
    both.assertSame(async (side) => {
      await side.redis.zadd(side.keys.completed(), PAST, 'ghost');
      await finishLast(side, { keepJobs: { count: 1 } });
    }));
});

describe('the metrics are those of the reference', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  const MINUTE = 60000;
  /** Finishes a job at each of these moments, in minutes after a full minute. */
  const finishAt = async (side: Side, minutes: readonly number[], finish: Finish) => {
    const start = Math.ceil(NOW / MINUTE) * MINUTE;
    for (const [i, minute] of minutes.entries()) {
      await side.add(plain);
      await fetchJob(side);
      await finishJob(side, `${i + 1}`, { ...finish, timestamp: start + minute * MINUTE });
    }
  };

  for (const target of ['completed', 'failed'] as const) {
    it(`${target}: counted in a minute, and in the next`, () =>
      both.assertSame((side) => finishAt(side, [0, 0.1, 0.9, 1, 1.5, 2], { target, maxMetricsSize: 10 })));
  }

  it('none without a size', () => both.assertSame((side) => finishAt(side, [0, 1], { maxMetricsSize: '' })));

  for (const size of [0, 1, 3]) {
    it(`a size of ${size}, with gaps`, () =>
      both.assertSame((side) => finishAt(side, [0, 1, 1, 3, 9, 9.5, 10], { maxMetricsSize: size })));
  }

  it('a gap longer than any list of arguments', () =>
    both.assertSame((side) => finishAt(side, [0, 0, 7500, 7501], { maxMetricsSize: 20000 })));

  it('a clock that goes back', () =>
    both.assertSame((side) => finishAt(side, [5, 3, 6], { maxMetricsSize: 10 })));

  it('a job that is not kept counts', () =>
    both.assertSame((side) => finishAt(side, [0, 1, 2], { maxMetricsSize: 10, keepJobs: { count: 0 } })));
});
