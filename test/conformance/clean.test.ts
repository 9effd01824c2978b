/** Removing many jobs: every branch of `cleanJobsInSet-3` and `drain-5`. */
import type { JobState } from '../../src/keys/states';
import { clean, drain, NOW } from './support/managementCalls';
import { FUTURE, PAST } from './support/operations';
import { Comparison, type Side, TOKEN } from './support/scenario';

const RECENT = NOW + 5;

/** Three jobs in a state, the middle one too young. */
const ARRANGEMENTS: Partial<Record<JobState, (side: Side) => Promise<unknown>>> = {
  wait: async (side) => {
    for (const timestamp of [PAST, RECENT, NOW]) await side.add({ timestamp });
  },
  paused: async (side) => {
    await side.queue.pause();
    for (const timestamp of [PAST, RECENT, NOW]) await side.add({ timestamp });
  },
  active: async (side) => {
    for (const timestamp of [PAST, RECENT, NOW]) {
      await side.add({ timestamp });
      const job = await side.fetch();
      await side.redis.hset(side.keys.job(job.id ?? ''), 'processedOn', timestamp);
      await side.loseLock(job);
    }
  },
  delayed: async (side) => {
    for (const timestamp of [PAST, RECENT, NOW]) await side.add({ timestamp, delay: FUTURE - timestamp });
  },
  prioritized: async (side) => {
    for (const timestamp of [PAST, RECENT, NOW]) await side.add({ timestamp, priority: 2 });
  },
  completed: async (side) => {
    for (const score of [PAST, RECENT, NOW]) {
      await side.add({ timestamp: PAST });
      const job = await side.fetch();
      await side.complete(job);
      await side.redis.zadd(side.keys.completed(), score, job.id ?? '');
    }
  },
  failed: async (side) => {
    for (const score of [PAST, RECENT, NOW]) {
      await side.add({ timestamp: PAST });
      const job = await side.fetch();
      await side.fail(job);
      await side.redis.zadd(side.keys.failed(), score, job.id ?? '');
    }
  },
  'waiting-children': async (side) => {
    for (const [i, score] of [PAST, RECENT, NOW].entries()) {
      await side.redis.hset(side.keys.job(`${i}`), 'name', 'job');
      await side.redis.zadd(side.keys.waitingChildren(), score, `${i}`);
    }
  },
};

describe('removing many jobs leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  for (const [name, arrange] of Object.entries(ARRANGEMENTS)) {
    const state = name as JobState;
    for (const limit of [0, 1, 2, 3, 5]) {
      it(`${state}, at most ${limit === 0 ? 'all' : limit}: the old ones go, the young one stays`, () =>
        both.assertSame(async (side) => {
          await arrange(side);
          await clean(side, state, { limit });
        }));
    }

    it(`${state}, all of them: the key goes`, () =>
      both.assertSame(async (side) => {
        await arrange(side);
        await clean(side, state, { latest: RECENT });
      }));
  }

  it('nothing old enough, or nothing at all: an event with the count 0', () =>
    both.assertSame(async (side) => {
      await clean(side, 'wait');
      await clean(side, 'completed');
      await side.add({ timestamp: RECENT });
      await clean(side, 'wait');
    }));

  it('active jobs with a lock: these stay', () =>
    both.assertSame(async (side) => {
      await ARRANGEMENTS.active?.(side);
      await side.redis.set(side.keys.lock('1'), TOKEN);
      await clean(side, 'active');
    }));

  for (const state of ['wait', 'paused', 'delayed', 'prioritized'] as const) {
    it(`the pending iteration of a scheduler in ${state}: it stays`, () =>
      both.assertSame(async (side) => {
        await ARRANGEMENTS[state]?.(side);
        const id = `repeat:cron:${PAST}`;
        await side.redis.zadd(side.keys.repeat(), PAST, 'cron');
        await side.redis.hset(side.keys.job(id), 'rjk', 'cron', 'timestamp', PAST);
        if (state === 'wait' || state === 'paused') await side.redis.rpush(side.keys.state(state), id);
        else await side.redis.zadd(side.keys.state(state), 5, id);
        await clean(side, state);
      }));
  }

  it('jobs without any age, and ids whose hash is gone: old', () =>
    both.assertSame(async (side) => {
      await ARRANGEMENTS.wait?.(side);
      await side.redis.hdel(side.keys.job('2'), 'timestamp');
      await side.redis.del(side.keys.job('1'));
      await clean(side, 'wait');
    }));

  it('owners of deduplication ids, and jobs that own none: only owners let go', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, deduplication: { id: 'mine' } });
      await side.add({ timestamp: PAST, deduplication: { id: 'other' } });
      await side.redis.set(side.keys.deduplication('other'), 'somebody');
      await clean(side, 'wait');
    }));

  const addWaitingForChild = async (side: Side, id: string, parent?: string) => {
    const options = parent ? { parent: { id: parent, queue: side.keys.queueKey } } : {};
    await side.add({ timestamp: PAST, jobId: id, ...options });
    await side.redis.lrem(side.keys.wait(), 0, id);
    await side.redis.zadd(side.keys.waitingChildren(), NOW, id);
  };

  it('the last child of a parent: the parent goes as well, and its parent', () =>
    both.assertSame(async (side) => {
      await addWaitingForChild(side, 'grandparent');
      await addWaitingForChild(side, 'parent', 'grandparent');
      await side.add({
        timestamp: PAST,
        jobId: 'child',
        parent: { id: 'parent', queue: side.keys.queueKey },
      });
      await clean(side, 'wait');
    }));

  it('one of two children: the parent waits on', () =>
    both.assertSame(async (side) => {
      await addWaitingForChild(side, 'parent');
      const parent = { id: 'parent', queue: side.keys.queueKey };
      await side.add({ timestamp: PAST, jobId: 'old', parent });
      await side.add({ timestamp: RECENT, jobId: 'young', parent });
      await clean(side, 'wait');
    }));

  it('the last child of a parent in another queue: the parent runs next', () =>
    both.assertSame(async (side) => {
      const parents = await side.openQueue('-parents');
      await parents.add('parent', {}, { timestamp: PAST, jobId: 'parent' });
      const other = `${side.keys.queueKey}-parents`;
      await side.redis.del(`${other}:wait`);
      await side.redis.zadd(`${other}:waiting-children`, 1, 'parent');
      await side.add({ timestamp: PAST, parent: { id: 'parent', queue: other } });
      await clean(side, 'wait');
    }));

  it('the stream is not trimmed', () =>
    both.assertSame(async (side) => {
      await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
      for (let i = 0; i < 110; i++) await clean(side, 'wait');
    }));

  describe('drained', () => {
    const fill = async (side: Side) => {
      await side.add({ timestamp: PAST });
      await side.add({ timestamp: PAST });
      await side.add({ timestamp: PAST, priority: 2 });
      await side.add({ timestamp: FUTURE, delay: 5 });
      await side.complete(await side.fetch());
    };

    for (const delayed of [false, true]) {
      it(`${delayed ? 'with' : 'without'} delayed jobs: silently, and the marker stays`, () =>
        both.assertSame(async (side) => {
          await fill(side);
          await drain(side, { delayed });
        }));

      it(`${delayed ? 'with' : 'without'} delayed jobs, while paused`, () =>
        both.assertSame(async (side) => {
          await fill(side);
          await side.queue.pause();
          await side.add({ timestamp: PAST });
          await drain(side, { delayed });
        }));
    }

    it('empty: nothing changes', () =>
      both.assertSame(async (side) => {
        await drain(side, { delayed: true });
      }));

    it('with the pending iteration of a scheduler in delayed: it stays', () =>
      both.assertSame(async (side) => {
        const id = `repeat:cron:${FUTURE}`;
        await side.add({ timestamp: PAST, delay: FUTURE - PAST, jobId: id, repeatJobKey: 'cron' });
        await side.add({ timestamp: PAST, delay: FUTURE - PAST });
        await side.redis.zadd(side.keys.repeat(), FUTURE, 'cron');
        await drain(side, { delayed: true });
      }));

    it('with the pending iteration of a scheduler in prioritized', () =>
      both.assertSame(async (side) => {
        const id = `repeat:cron:${PAST}`;
        await side.add({ timestamp: PAST, priority: 1, jobId: id, repeatJobKey: 'cron' });
        await side.add({ timestamp: PAST, priority: 1 });
        await side.redis.zadd(side.keys.repeat(), PAST, 'cron');
        await drain(side);
      }));

    it('with the last child of a parent: the parent goes as well', () =>
      both.assertSame(async (side) => {
        await addWaitingForChild(side, 'parent');
        await side.add({ timestamp: PAST, parent: { id: 'parent', queue: side.keys.queueKey } });
        await drain(side);
      }));

    it('with owners of deduplication ids: only owners let go', () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: PAST, deduplication: { id: 'mine' } });
        await side.add({ timestamp: PAST, deduplication: { id: 'other' } });
        await side.redis.set(side.keys.deduplication('other'), 'somebody');
        await drain(side);
      }));
  });
});
