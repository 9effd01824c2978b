/**
 * What a worker does with an active job short of finishing it: every branch of `moveToDelayed-8`, `retryJob-11` and
 * `moveJobFromActiveToWait-9`.
 */
import { FUTURE, PAST } from './support/operations';
import { Comparison, type Side, TOKEN } from './support/scenario';
import {
  activateJobs,
  delayActiveJob,
  fetchJob,
  giveBackJob,
  NOW,
  retryActiveJob,
} from './support/workerCalls';

type Moved = (side: Side, id: string, token?: string) => Promise<unknown>;

const MOVES: Record<string, Moved> = {
  'putting a job off': (side, id, token = TOKEN) => delayActiveJob(side, id, { token }),
  'retrying a job at once': (side, id, token = TOKEN) => retryActiveJob(side, id, { token }),
  'giving a job back': (side, id, token) => giveBackJob(side, id, token),
};

const plain = { timestamp: PAST };

describe('a move of an active job leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  for (const [title, move] of Object.entries(MOVES)) {
    describe(title, () => {
      it('with the own lock: lock and mark are gone', () =>
        both.assertSame(async (side) => {
          await activateJobs(side, 3);
          await side.add(plain);
          await move(side, '2');
        }));

      it('that does not exist: -1', () =>
        both.assertSame(async (side) => {
          await side.redis.lpush(side.keys.active(), 'ghost');
          await move(side, 'ghost');
        }));

      it('whose lock is gone: -2, nothing changes', () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.redis.del(side.keys.lock('1'));
          await move(side, '1');
        }));

      it("whose lock is another worker's: -6, nothing changes", () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await move(side, '1', 'other');
        }));

      it('without a token, given as empty text: -6 with a lock, -2 without', () =>
        both.assertSame(async (side) => {
          await activateJobs(side, 2);
          await side.redis.del(side.keys.lock('2'));
          await move(side, '1', '');
          await move(side, '2', '');
        }));

      it("with the token 0: another's lock and the mark stay", () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await move(side, '1', '0');
        }));

      it('that is not active: lock and mark are gone all the same', () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.redis.del(side.keys.active());
          await move(side, '1');
        }));

      it('that is active twice: one of them moves', () =>
        both.assertSame(async (side) => {
          await activateJobs(side, 2);
          await side.redis.lpush(side.keys.active(), '1', 'x');
          await move(side, '1');
        }));

      it('in a paused queue', () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.queue.pause();
          await move(side, '1');
        }));

      it('with a priority, in a queue that is paused then', () =>
        both.assertSame(async (side) => {
          await side.add({ ...plain, priority: 3 });
          await activateJobs(side, 2, { priority: 3 });
          await move(side, '2');
          await side.queue.pause();
          await move(side, '1');
        }));

      it('in a queue at its concurrency: the move frees a place', () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.queue.setGlobalConcurrency(1);
          await side.redis.del(side.keys.marker());
          await move(side, '1');
        }));

      it('in a queue that stays at its concurrency', () =>
        both.assertSame(async (side) => {
          await activateJobs(side, 2);
          await side.queue.setGlobalConcurrency(1);
          await side.redis.del(side.keys.marker());
          await move(side, '1');
        }));

      it('without a cap of events: the default is written down', () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.redis.del(side.keys.meta());
          await move(side, '1');
        }));

      it('with a small cap of events', () =>
        both.assertSame(async (side) => {
          for (let i = 0; i < 150; i++) await side.add(plain);
          await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
          await fetchJob(side);
          await move(side, '1');
        }));

      it('whose priority is no number, or negative', () =>
        both.assertSame(async (side) => {
          for (const [i, priority] of ['', 'text', '-2', '1.5'].entries()) {
            await activateJobs(side);
            await side.redis.hset(side.keys.job(`${i + 1}`), 'priority', priority);
            await side.redis.set(side.keys.lock(`${i + 1}`), 'token-of-the-test');
            await move(side, `${i + 1}`);
            await side.redis.del(side.keys.active(), side.keys.wait(), side.keys.delayed());
          }
        }));
    });
  }

  describe('putting a job off', () => {
    it('counts the attempt, or skips it', () =>
      both.assertSame(async (side) => {
        await activateJobs(side, 2);
        await delayActiveJob(side, '1');
        await delayActiveJob(side, '2', { skip: true });
      }));

    it('to the same millisecond as others: behind them, and the marker says the earliest', () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: NOW, delay: 5000 });
        await side.add({ timestamp: NOW, delay: 6000 });
        await activateJobs(side, 2);
        await delayActiveJob(side, '3');
        await delayActiveJob(side, '4');
      }));

    for (const delay of [0, -5, 1.5]) {
      it(`for ${delay} ms`, () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await delayActiveJob(side, '1', { delay });
        }));
    }

    it('writes the fields of the failure', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await delayActiveJob(side, '1', { fields: ['failedReason', 'boom', 'stacktrace', '["Error"]'] });
      }));

    it('that is not active: -3, and the fields are written', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.redis.del(side.keys.active());
        await delayActiveJob(side, '1', { fields: ['failedReason', 'boom'] });
      }));

    it("of another worker's: -6, and the fields are not written", () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await delayActiveJob(side, '1', { token: 'other', fields: ['failedReason', 'boom'] });
      }));

    it('due jobs are not promoted', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.add({ timestamp: PAST, delay: 10 });
        await delayActiveJob(side, '1');
      }));
  });

  describe('retrying a job at once', () => {
    it('to the head of wait, or with lifo to its tail', () =>
      both.assertSame(async (side) => {
        await activateJobs(side, 2);
        await side.add(plain);
        await retryActiveJob(side, '1');
        await retryActiveJob(side, '2', { lifo: true });
      }));

    it('with a priority: behind all of its priority, whatever lifo says', () =>
      both.assertSame(async (side) => {
        await activateJobs(side, 2, { priority: 5 });
        await side.add({ ...plain, priority: 5 });
        await retryActiveJob(side, '1');
        await retryActiveJob(side, '2', { lifo: true });
      }));

    it('into a paused queue, with lifo', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.queue.pause();
        await side.add(plain);
        await retryActiveJob(side, '1', { lifo: true });
      }));

    it('writes the fields of the failure', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await retryActiveJob(side, '1', { fields: ['failedReason', 'boom', 'stacktrace', '["Error"]'] });
      }));

    for (const [end, id, token] of [
      ['0', '1', TOKEN],
      ['-1', 'unknown', TOKEN],
      ['-6', '1', 'other'],
    ] as const) {
      it(`due jobs are promoted first, also when the answer is ${end}`, () =>
        both.assertSame(async (side) => {
          await activateJobs(side);
          await side.add({ timestamp: PAST, delay: 10 });
          await side.add({ timestamp: PAST, delay: 20, priority: 2 });
          await side.add({ timestamp: FUTURE, delay: 10 });
          await side.redis.del(side.keys.marker());
          await retryActiveJob(side, id, { token });
        }));
    }

    it('in a queue at its concurrency, with jobs that are due', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.queue.setGlobalConcurrency(1);
        await side.add({ timestamp: PAST, delay: 10 });
        await side.redis.del(side.keys.marker());
        await retryActiveJob(side, 'unknown');
        await retryActiveJob(side, '1');
      }));
  });

  describe('giving a job back', () => {
    it('to run next, and no attempt is counted', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.add(plain);
        await giveBackJob(side, '1');
        await fetchJob(side);
      }));

    it('with a priority: before all others of it, without a count or a marker', () =>
      both.assertSame(async (side) => {
        await side.add({ ...plain, priority: 5 });
        await activateJobs(side, 1, { priority: 5 });
        await side.add({ ...plain, priority: 5 });
        await side.redis.del(side.keys.marker());
        await giveBackJob(side, '1');
        await fetchJob(side);
      }));

    it('while the rate limit runs: its rest', () =>
      both.assertSame(async (side) => {
        await activateJobs(side, 2);
        await side.queue.rateLimit(600000);
        await giveBackJob(side, '1');
        await side.redis.persist(side.keys.limiter());
        await giveBackJob(side, '2');
      }));

    it('that is not active, while the rate limit runs', () =>
      both.assertSame(async (side) => {
        await activateJobs(side);
        await side.redis.del(side.keys.active());
        await side.queue.rateLimit(600000);
        await giveBackJob(side, '1');
      }));
  });
});
