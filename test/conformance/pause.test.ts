/** Pausing a queue and letting it go on: every branch of `pause-7` that does not lose a job in the reference. */
import { pause, resume } from './support/managementCalls';
import { FUTURE, PAST } from './support/operations';
import { Comparison } from './support/scenario';

describe('pausing a queue and letting it go on leave what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  it('paused with jobs: wait becomes paused, the mark is set and the marker deleted', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await side.add({ timestamp: PAST });
      await pause(side);
    }));

  it('paused empty: only the mark and the event', () =>
    both.assertSame(async (side) => {
      await pause(side);
    }));

  it('paused twice: an event each time, and the jobs stay', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await pause(side);
      await pause(side);
    }));

  it('paused with prioritized and delayed jobs: these stay where they are', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, priority: 2 });
      await side.add({ timestamp: FUTURE, delay: 9 });
      await pause(side);
    }));

  it('resumed with jobs in paused: they are in wait again, and the marker is set', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await pause(side);
      await side.add({ timestamp: PAST });
      await resume(side);
    }));

  it('resumed with prioritized jobs only: the marker is set', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, priority: 2 });
      await pause(side);
      await resume(side);
    }));

  it('resumed with delayed jobs only: the marker tells when the first is due', () =>
    both.assertSame(async (side) => {
      await pause(side);
      await side.add({ timestamp: FUTURE, delay: 9 });
      await side.add({ timestamp: FUTURE, delay: 5 });
      await side.redis.del(side.keys.marker());
      await resume(side);
    }));

  it('resumed with jobs and delayed ones: the base marker alone is set', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await side.add({ timestamp: FUTURE, delay: 9 });
      await pause(side);
      await resume(side);
    }));

  it('resumed at its concurrency: the marker is set all the same', () =>
    both.assertSame(async (side) => {
      await side.queue.setGlobalConcurrency(1);
      await side.add({ timestamp: PAST });
      await side.add({ timestamp: PAST });
      await side.fetch();
      await pause(side);
      await resume(side);
    }));

  it('resumed empty: only the event', () =>
    both.assertSame(async (side) => {
      await pause(side);
      await resume(side);
    }));

  it('resumed while it was not paused: only the event', () =>
    both.assertSame(async (side) => {
      await resume(side);
    }));

  it('the stream is not trimmed', () =>
    both.assertSame(async (side) => {
      await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
      for (let i = 0; i < 60; i++) {
        await pause(side);
        await resume(side);
      }
    }));
});
