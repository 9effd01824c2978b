/** Extending and releasing locks: every branch of `extendLock-2`, `extendLocks-1` and `releaseLock-1`. */
import { PAST } from './support/operations';
import { Comparison, type Side } from './support/scenario';
import { extendLock, extendLocks, fetchJob, releaseLock } from './support/workerCalls';

describe('locks are left as the reference leaves them', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  /** Jobs 1 to n, active, each with a lock, and each marked by a stalled pass. */
  const addMarked = async (side: Side, n = 1) => {
    for (let i = 1; i <= n; i++) {
      await side.add({ timestamp: PAST });
      await fetchJob(side);
      await side.redis.sadd(side.keys.stalled(), `${i}`);
    }
  };

  it('extending the own lock: the full time again, and the mark is taken off', () =>
    both.assertSame(async (side) => {
      await addMarked(side, 2);
      await extendLock(side, '1');
    }));

  it("extending another worker's lock: 0, nothing changes", () =>
    both.assertSame(async (side) => {
      await addMarked(side);
      await extendLock(side, '1', 'other');
    }));

  it('extending a lock that is gone: 0, nothing changes', () =>
    both.assertSame(async (side) => {
      await addMarked(side);
      await side.redis.del(side.keys.lock('1'));
      await extendLock(side, '1');
    }));

  it('extending with the token 0: like any other token', () =>
    both.assertSame(async (side) => {
      await addMarked(side);
      await extendLock(side, '1', '0');
      await side.redis.set(side.keys.lock('1'), '0');
      await extendLock(side, '1', '0');
    }));

  it('extending a lock that is no text: an error, nothing changes', () =>
    both.assertSame(async (side) => {
      await addMarked(side);
      await side.redis.del(side.keys.lock('1'));
      await side.redis.lpush(side.keys.lock('1'), 'x');
      await extendLock(side, '1');
    }));

  it('extending for no time at all: an error, nothing changes', () =>
    both.assertSame(async (side) => {
      await addMarked(side);
      await extendLock(side, '1', undefined, 0);
    }));

  it("extending several: the ids of those that are gone or another worker's come back", () =>
    both.assertSame(async (side) => {
      await addMarked(side, 4);
      await side.redis.del(side.keys.lock('2'));
      await side.redis.set(side.keys.lock('3'), 'other');
      await extendLocks(side, [
        ['1', 'token-of-the-test'],
        ['2', 'token-of-the-test'],
        ['3', 'token-of-the-test'],
        ['4', 'token-of-the-test'],
        ['unknown', 'token-of-the-test'],
      ]);
    }));

  it('extending several, each with a token of its own', () =>
    both.assertSame(async (side) => {
      await addMarked(side, 3);
      await side.redis.set(side.keys.lock('2'), 'second');
      await side.redis.set(side.keys.lock('3'), 'third');
      await extendLocks(side, [
        ['3', 'third'],
        ['1', 'token-of-the-test'],
        ['2', 'third'],
      ]);
    }));

  it('extending none: an empty array', () =>
    both.assertSame(async (side) => {
      await extendLocks(side, []);
    }));

  it('releasing the own lock: 1, and the mark stays', () =>
    both.assertSame(async (side) => {
      await addMarked(side);
      await releaseLock(side, '1');
    }));

  it("releasing another worker's lock: 0", () =>
    both.assertSame(async (side) => {
      await addMarked(side);
      await releaseLock(side, '1', 'other');
    }));

  it('releasing a lock that is gone: 0', () =>
    both.assertSame(async (side) => {
      await releaseLock(side, '1');
    }));
});
