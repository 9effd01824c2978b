/** Removing one job: every branch of `removeJob-2`. */
import { removeJob } from './support/managementCalls';
import { FUTURE, PAST } from './support/operations';
import { Comparison, type Side, TOKEN } from './support/scenario';

describe('removing a job leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  const addWaitingForChildren = async (side: Side, id: string) => {
    await side.add({ timestamp: PAST, jobId: id });
    const parent = await side.fetch();
    await side.redis.sadd(side.keys.dependencies(id), 'placeholder');
    await parent.moveToWaitingChildren(TOKEN);
    await side.redis.srem(side.keys.dependencies(id), 'placeholder');
  };
  const addChild = (side: Side, id: string, parent: string, options = {}) =>
    side.add({
      timestamp: FUTURE,
      jobId: id,
      parent: { id: parent, queue: side.keys.queueKey },
      ...options,
    });

  const arrangements: Readonly<Record<string, (side: Side) => Promise<unknown>>> = {
    wait: (side) => side.add({ timestamp: PAST }),
    paused: async (side) => {
      await side.queue.pause();
      await side.add({ timestamp: PAST });
    },
    delayed: (side) => side.add({ timestamp: FUTURE, delay: 5 }),
    prioritized: (side) => side.add({ timestamp: PAST, priority: 5 }),
    'active without a lock': async (side) => {
      await side.add({ timestamp: PAST });
      await side.loseLock(await side.fetch());
    },
    completed: async (side) => {
      await side.add({ timestamp: PAST });
      await side.complete(await side.fetch());
    },
    failed: async (side) => {
      await side.add({ timestamp: PAST });
      await side.fail(await side.fetch());
    },
    'in no state': async (side) => {
      await side.add({ timestamp: PAST });
      await side.redis.del(side.keys.wait());
    },
  };
  for (const [name, arrange] of Object.entries(arrangements)) {
    it(`${name}: id and keys go, the event names the state, others stay`, () =>
      both.assertSame(async (side) => {
        await arrange(side);
        await side.add({ timestamp: PAST });
        await side.redis.rpush(side.keys.logs('1'), 'a row');
        await removeJob(side, '1');
      }));
  }

  it('waiting-children: with its own keys, and without its children', () =>
    both.assertSame(async (side) => {
      await addWaitingForChildren(side, 'parent');
      await addChild(side, 'child', 'parent');
      await removeJob(side, 'parent');
    }));

  it('active with a lock: 0, and nothing changes', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await side.fetch();
      await removeJob(side, '1');
    }));

  it('a job that does not exist: 1, without an event', () =>
    both.assertSame(async (side) => {
      await removeJob(side, 'gone');
    }));

  it('an id whose hash is gone: out of its state, without an event', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await side.redis.del(side.keys.job('1'));
      await removeJob(side, '1');
    }));

  it('the pending iteration of a scheduler: -8, and after it an ordinary one', () =>
    both.assertSame(async (side) => {
      const id = `repeat:cron:${FUTURE}`;
      await side.add({ timestamp: FUTURE, delay: 5, jobId: id, repeatJobKey: 'cron' });
      await side.redis.zadd(side.keys.repeat(), FUTURE, 'cron');
      await removeJob(side, id);
      await side.redis.zadd(side.keys.repeat(), FUTURE + 1, 'cron');
      await removeJob(side, id);
    }));

  it('an iteration whose scheduler is gone: removed', () =>
    both.assertSame(async (side) => {
      const id = `repeat:cron:${FUTURE}`;
      await side.add({ timestamp: FUTURE, delay: 5, jobId: id, repeatJobKey: 'cron' });
      await removeJob(side, id);
    }));

  it('the owner of a deduplication id: owner and kept job go', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, deduplication: { id: 'd' } });
      await side.redis.hset(side.keys.deduplicationNext('d'), 'name', 'next');
      await removeJob(side, '1');
    }));

  it('a job whose deduplication id another owns: the other keeps it', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, deduplication: { id: 'd' } });
      await side.redis.set(side.keys.deduplication('d'), 'other');
      await removeJob(side, '1');
    }));

  it('with a small cap of events: the stream is trimmed', () =>
    both.assertSame(async (side) => {
      for (let i = 0; i < 110; i++) await side.add({ timestamp: PAST });
      await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
      await removeJob(side, '1');
    }));

  it('the last child of a waiting parent: the parent runs next', () =>
    both.assertSame(async (side) => {
      await addWaitingForChildren(side, 'parent');
      await addChild(side, 'child', 'parent');
      await side.add({ timestamp: PAST });
      await removeJob(side, 'child');
    }));

  it('one of two children: the parent waits on', () =>
    both.assertSame(async (side) => {
      await addWaitingForChildren(side, 'parent');
      await addChild(side, 'one', 'parent');
      await addChild(side, 'two', 'parent');
      await removeJob(side, 'one');
    }));

  it('the last child, in a paused queue: the parent goes to paused', () =>
    both.assertSame(async (side) => {
      await addWaitingForChildren(side, 'parent');
      await addChild(side, 'child', 'parent');
      await side.queue.pause();
      await removeJob(side, 'child');
    }));

  it('a child whose parent is gone', () =>
    both.assertSame(async (side) => {
      await addWaitingForChildren(side, 'parent');
      await addChild(side, 'child', 'parent');
      await side.redis.del(side.keys.job('parent'));
      await removeJob(side, 'child');
    }));

  for (const ending of ['dependencies', 'processed', 'failed', 'unsuccessful'] as const) {
    it(`with children, one of them in ${ending}: it goes as well`, () =>
      both.assertSame(async (side) => {
        await addWaitingForChildren(side, 'parent');
        await addChild(side, 'child', 'parent');
        const key = side.keys.job('child');
        await side.redis.del(side.keys.dependencies('parent'));
        const target = `${side.keys.job('parent')}:${ending}`;
        if (ending === 'dependencies') await side.redis.sadd(target, key);
        else if (ending === 'unsuccessful') await side.redis.zadd(target, 1, key);
        else await side.redis.hset(target, key, '1');
        await removeJob(side, 'parent', { children: true });
      }));
  }

  it('with children and grandchildren: the deepest first', () =>
    both.assertSame(async (side) => {
      await addWaitingForChildren(side, 'parent');
      await addChild(side, 'child', 'parent');
      await addChild(side, 'grandchild', 'child');
      await removeJob(side, 'parent', { children: true });
    }));

  it('with a child in another queue', () =>
    both.assertSame(async (side) => {
      await addWaitingForChildren(side, 'parent');
      const other = await side.openQueue('-children');
      await other.add(
        'child',
        {},
        { jobId: 'child', timestamp: PAST, parent: { id: 'parent', queue: side.keys.queueKey } },
      );
      await removeJob(side, 'parent', { children: true });
    }));

  it('with a grandchild that is locked: 0, and nothing changes', () =>
    both.assertSame(async (side) => {
      await addWaitingForChildren(side, 'parent');
      await addChild(side, 'child', 'parent');
      await addChild(side, 'grandchild', 'child');
      await side.redis.set(side.keys.lock('grandchild'), 'foreign');
      await removeJob(side, 'parent', { children: true });
      await removeJob(side, 'parent');
    }));

  it('with children, of which one is gone already', () =>
    both.assertSame(async (side) => {
      await addWaitingForChildren(side, 'parent');
      await addChild(side, 'child', 'parent');
      await side.redis.del(side.keys.job('child'));
      await removeJob(side, 'parent', { children: true });
    }));
});
