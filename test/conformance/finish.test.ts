/** Finishing a job: every branch of `moveToFinished-14` but flows, deduplication, policies of keeping, and metrics. */
import { FUTURE, PAST } from './support/operations';
import { Comparison, type Side } from './support/scenario';
import { activateJobs, fetchJob, finishJob, NOW } from './support/workerCalls';

const plain = { timestamp: PAST };

describe('finishing a job leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  for (const target of ['completed', 'failed'] as const) {
    describe(target, () => {
      it('with the own lock: lock and mark are gone', () =>
        both.assertSame(async (side) => {
          await activateJobs(side, 3);
          await finishJob(side, '2', { target });
          await finishJob(side, '1', { target, timestamp: NOW + 1 });
        }));

      it('that does not exist: -1', () =>
        both.assertSame(async (side) => {
          await side.redis.lpush(side.keys.active(), 'ghost');
          await finishJob(side, 'ghost', { target });
        }));

      it('whose lock is gone: -2, nothing changes', () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.redis.del(side.keys.lock('1'));
          await finishJob(side, '1', { target, fields: ['stacktrace', '[]'] });
        }));

      it("whose lock is another worker's: -6, nothing changes", () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await finishJob(side, '1', { target, token: 'other', fields: ['stacktrace', '[]'] });
        }));

      it('with an empty token: -6 with a lock, -2 without', () =>
        both.assertSame(async (side) => {
          await activateJobs(side, 2);
          await side.redis.del(side.keys.lock('2'));
          await finishJob(side, '1', { target, token: '' });
          await finishJob(side, '2', { target, token: '' });
        }));

      it("with the token 0: another's lock and the mark stay", () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await finishJob(side, '1', { target, token: '0' });
        }));

      it('that is not active: -3; lock and mark are gone, the fields are written', () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.redis.del(side.keys.active());
          await finishJob(side, '1', { target, fields: ['stacktrace', '["Error"]'] });
        }));

      it('that is active twice: one of them moves, the one nearer the tail', () =>
        both.assertSame(async (side) => {
          await activateJobs(side, 2);
          await side.redis.lpush(side.keys.active(), '1', 'x');
          await finishJob(side, '1', { target });
        }));

      it('whose children are outstanding', () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.redis.sadd(side.keys.dependencies('1'), 'child');
          await finishJob(side, '1', { target });
        }));

      it('whose children have failed', () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.redis.zadd(side.keys.unsuccessful('1'), 1, 'child');
          await finishJob(side, '1', { target });
        }));

      it("whose children are outstanding, with another worker's token", () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.redis.sadd(side.keys.dependencies('1'), 'child');
          await finishJob(side, '1', { target, token: 'other' });
        }));

      it('that failed or completed before: the older fields stay', () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.redis.hset(side.keys.job('1'), { failedReason: 'old', returnvalue: '1', atm: '4' });
          await finishJob(side, '1', { target });
        }));

      it('with a deferred failure', () =>
        both.assertSame(async (side) => {
          await activateJobs(side, 2);
          await side.redis.hset(side.keys.job('1'), 'defa', 'stalled');
          await side.redis.hset(side.keys.job('2'), 'defa', 'stalled');
          await finishJob(side, '1', { target });
          await finishJob(side, '2', { target, keepJobs: { count: 0 } });
        }));

      for (const value of ['null', '', '"text with \\"quotes\\""', 'ümlaut 🚀']) {
        it(`with the outcome ${value}`, () =>
          both.assertSame(async (side) => {
            await activateJobs(side);
            await finishJob(side, '1', { target, value });
          }));
      }

      for (const [made, attempts] of [
        ['0', 0],
        ['0', 1],
        ['0', 2],
        ['1', 2],
        ['5', 2],
      ] as const) {
        it(`after ${made} attempts of ${attempts}`, () =>
          both.assertSame(async (side) => {
            await activateJobs(side);
            await side.redis.hset(side.keys.job('1'), 'atm', made);
            await finishJob(side, '1', { target, attempts });
          }));
      }

      it('without a cap of events: the default is written down', () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.redis.del(side.keys.meta());
          await finishJob(side, '1', { target });
        }));

      it('with a small cap of events: the stream is trimmed beforehand', () =>
        both.assertSame(async (side) => {
          for (let i = 0; i < 150; i++) await side.add(plain);
          await fetchJob(side);
          await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
          await finishJob(side, '1', { target });
        }));

      it('in a paused queue', () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.queue.pause();
          await finishJob(side, '1', { target, fetchNext: true });
        }));
    });
  }

  describe('and the queue is drained', () => {
    const finishLast = async (side: Side, fetchNext: boolean) => {
      await finishJob(side, '1', { fetchNext });
    };

    for (const fetchNext of [false, true]) {
      const how = fetchNext ? 'after looking for the next' : 'without looking for the next';
      it(`nothing is left, ${how}`, () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await finishLast(side, fetchNext);
        }));

      it(`another is active, ${how}: no`, () =>
        both.assertSame(async (side) => {
          await activateJobs(side, 2);
          await finishLast(side, fetchNext);
        }));

      it(`another waits, ${how}: no`, () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.add(plain);
          await finishLast(side, fetchNext);
        }));

      it(`another has a priority, ${how}: no`, () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.add({ ...plain, priority: 1 });
          await finishLast(side, fetchNext);
        }));

      it(`another is delayed, ${how}`, () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.add({ timestamp: FUTURE, delay: 1 });
          await finishLast(side, fetchNext);
        }));

      it(`another waits in a paused queue, ${how}`, () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.queue.pause();
          await side.add(plain);
          await finishLast(side, fetchNext);
        }));
    }
  });

  describe('and giving the next', () => {
    it('the next job, with the same token, lock and name', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.add(plain);
        await finishJob(side, '1', { fetchNext: true, name: 'worker', lockDuration: 60000 });
        await finishJob(side, '2', { fetchNext: true });
      }));

    it('the next job without a lock, under the token 0', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.add(plain);
        await finishJob(side, '1', { fetchNext: true, token: '0' });
      }));

    it('a job with a priority', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.add({ ...plain, priority: 2 });
        await side.add({ ...plain, priority: 1 });
        await finishJob(side, '1', { fetchNext: true });
      }));

    it('a delayed job that is due', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.add({ timestamp: NOW - 10, delay: 10 });
        await finishJob(side, '1', { fetchNext: true });
      }));

    it('without looking for the next: due jobs are not promoted', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.add({ timestamp: NOW - 10, delay: 10 });
        await finishJob(side, '1');
      }));

    it('in a queue at its concurrency: the finished job freed a place', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.queue.setGlobalConcurrency(1);
        await side.add(plain);
        await finishJob(side, '1', { fetchNext: true });
      }));

    it('in a queue that stays at its concurrency: four zeros', () =>
      both.assertSame(async (side) => {
        await activateJobs(side, 2);
        await side.queue.setGlobalConcurrency(1);
        await side.add(plain);
        await finishJob(side, '1', { fetchNext: true });
      }));

    it('while the rate limit is reached: the time', () =>
      both.assertSame(async (side) => {
        const limiter = { max: 1, duration: 600000 };
        await side.add(plain);
        await side.add(plain);
        await fetchJob(side, { limiter });
        await finishJob(side, '1', { fetchNext: true, limiter });
      }));

    it('with the old marker 0:0 alone in wait, and a job with a priority', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.add({ ...plain, priority: 1 });
        await side.redis.rpush(side.keys.wait(), '0:0');
        await finishJob(side, '1', { fetchNext: true });
      }));

    it('with the old marker 0:4102444800000 alone', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.redis.rpush(side.keys.wait(), '0:4102444800000');
        await finishJob(side, '1', { fetchNext: true });
      }));
  });
});
