/** Removing a whole queue: every branch of `obliterate-2` that leaves nothing behind in the reference. */
import { obliterate, pause } from './support/managementCalls';
import { FUTURE, PAST } from './support/operations';
import { Comparison, type Side } from './support/scenario';

describe('removing a queue leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  /** Two jobs in every state but `active` and `waiting-children`, two schedulers, and metrics. */
  const fill = async (side: Side) => {
    for (let i = 0; i < 2; i++) {
      await side.add({ timestamp: PAST });
      await side.complete(await side.fetch());
      await side.add({ timestamp: PAST });
      await side.fail(await side.fetch());
    }
    for (let i = 0; i < 2; i++) {
      await side.add({ timestamp: PAST });
      await side.add({ timestamp: PAST, priority: 1 });
      await side.add({ timestamp: FUTURE, delay: 5 });
      await side.redis.zadd(side.keys.repeat(), FUTURE, `cron${i}`);
      await side.redis.hset(side.keys.scheduler(`cron${i}`), 'name', 'n');
    }
    for (const target of ['completed', 'failed'] as const) {
      await side.redis.hset(side.keys.metrics(target), 'count', 1);
      await side.redis.rpush(side.keys.metricsData(target), 1);
    }
  };

  it('not paused: -1, and nothing changes', () =>
    both.assertSame(async (side) => {
      await fill(side);
      await obliterate(side);
    }));

  it('paused: everything goes, and the answer is 0', () =>
    both.assertSame(async (side) => {
      await fill(side);
      await pause(side);
      await obliterate(side);
    }));

  it('with active jobs: -2, and nothing changes', () =>
    both.assertSame(async (side) => {
      await fill(side);
      await side.fetch();
      await pause(side);
      await obliterate(side);
    }));

  it('with active jobs and force: these go, with their locks', () =>
    both.assertSame(async (side) => {
      await fill(side);
      await side.fetch();
      await pause(side);
      await obliterate(side, { force: true });
    }));

  it('empty: only the keys of the queue', () =>
    both.assertSame(async (side) => {
      await pause(side);
      await obliterate(side);
    }));

  for (const count of [1, 2, 3, 5, 8, 11, 12, 13]) {
    it(`${count} a call: the same goes first, and the answer is 1 until the end`, () =>
      both.assertSame(async (side) => {
        await fill(side);
        await side.fetch();
        await pause(side);
        await obliterate(side, { count, force: true });
        await obliterate(side, { count, force: true });
      }));
  }

  it('with owners of deduplication ids: these let go', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, deduplication: { id: 'mine' } });
      await pause(side);
      await obliterate(side);
    }));
});
