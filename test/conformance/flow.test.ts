/** What adding and retrying do where there is a parent. */
import { FUTURE, PAST } from './support/operations';
import { Comparison, type Side, TOKEN } from './support/scenario';

describe('in a flow, adding and retrying leave what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  const parentOf = (side: Side, id: string) => ({ id, queue: side.keys.queueKey });

  /** A parent that waits for children which are all settled: the next settled one releases it. */
  const addWaitingParent = async (side: Side) => {
    await side.add({ timestamp: PAST, jobId: 'parent' });
    const parent = await side.fetch();
    await side.redis.sadd(side.keys.dependencies('parent'), 'placeholder');
    await parent.moveToWaitingChildren(TOKEN);
    await side.redis.del(side.keys.dependencies('parent'));
  };
  const addCompleted = async (side: Side, jobId: string) => {
    await side.add({ timestamp: PAST, jobId });
    await side.complete(await side.fetch());
  };

  for (const [kind, options] of [
    ['plain', {}],
    ['delayed', { delay: 5000 }],
    ['prioritized', { priority: 3 }],
  ] as const) {
    it(`a ${kind} child under a parent`, () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: PAST, jobId: 'parent' });
        await side.add({ timestamp: FUTURE, parent: parentOf(side, 'parent'), ...options });
      }));

    it(`a ${kind} child under a parent of another queue`, () =>
      both.assertSame(async (side) => {
        const parents = await side.openQueue('-parents');
        await parents.add('parent', {}, { timestamp: PAST, jobId: 'parent' });
        const parent = { id: 'parent', queue: `${side.keys.queueKey}-parents` };
        await side.add({ timestamp: FUTURE, parent, ...options });
      }));

    it(`a ${kind} job of an id that has another living parent: -7, and the counter moves`, () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: PAST, jobId: 'first' });
        await side.add({ timestamp: PAST, jobId: 'second' });
        await side.add({ timestamp: PAST, jobId: 'child', parent: parentOf(side, 'first') });
        await side.add({ timestamp: PAST, jobId: 'child', parent: parentOf(side, 'second'), ...options });
      }));
  }

  for (const policy of [
    'failParentOnFailure',
    'continueParentOnFailure',
    'ignoreDependencyOnFailure',
    'removeDependencyOnFailure',
  ]) {
    it(`a child with ${policy}`, () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: PAST, jobId: 'parent' });
        await side.add({ timestamp: PAST, parent: parentOf(side, 'parent'), [policy]: true });
      }));
  }

  it('a duplicate without a parent of its own: gets the new one', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, jobId: 'parent' });
      await side.add({ timestamp: PAST, jobId: 'child' });
      await side.add({
        timestamp: PAST,
        jobId: 'child',
        parent: parentOf(side, 'parent'),
        failParentOnFailure: true,
      });
    }));

  it('a duplicate under the same parent', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, jobId: 'parent' });
      for (let i = 0; i < 2; i++) {
        await side.add({ timestamp: PAST, jobId: 'child', parent: parentOf(side, 'parent') });
      }
    }));

  it('a duplicate whose other parent is gone: stays as it is', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, jobId: 'first' });
      await side.add({ timestamp: PAST, jobId: 'second' });
      await side.add({ timestamp: PAST, jobId: 'child', parent: parentOf(side, 'first') });
      await side.redis.del(side.keys.job('first'));
      await side.add({ timestamp: PAST, jobId: 'child', parent: parentOf(side, 'second') });
    }));

  it('a duplicate of a job with a parent, added without one', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, jobId: 'parent' });
      await side.add({ timestamp: PAST, jobId: 'child', parent: parentOf(side, 'parent') });
      await side.add({ timestamp: PAST, jobId: 'child' });
    }));

  it('a duplicate that is completed: its value is noted, and a parent that does not wait stays', () =>
    both.assertSame(async (side) => {
      await addCompleted(side, 'child');
      await side.add({ timestamp: PAST, jobId: 'parent' });
      await side.add({ timestamp: PAST, jobId: 'child', parent: parentOf(side, 'parent') });
    }));

  it('a duplicate that is completed releases a parent that waits for nothing else', () =>
    both.assertSame(async (side) => {
      await addCompleted(side, 'child');
      await addWaitingParent(side);
      await side.add({ timestamp: PAST });
      await side.add({ timestamp: PAST, jobId: 'child', parent: parentOf(side, 'parent') });
    }));

  it('a duplicate that is completed leaves a parent that waits for another child', () =>
    both.assertSame(async (side) => {
      await addCompleted(side, 'child');
      await addWaitingParent(side);
      await side.add({ timestamp: PAST, jobId: 'other', parent: parentOf(side, 'parent') });
      await side.add({ timestamp: PAST, jobId: 'child', parent: parentOf(side, 'parent') });
    }));

  for (const [how, field, value] of [
    ['with a priority: into prioritized', 'priority', '4'],
    ['with a delay: into delayed', 'delay', '60000'],
  ] as const) {
    it(`a parent is released ${how}`, () =>
      both.assertSame(async (side) => {
        await addCompleted(side, 'child');
        await addWaitingParent(side);
        await side.redis.hset(side.keys.job('parent'), field, value);
        await side.add({ timestamp: FUTURE, jobId: 'child', parent: parentOf(side, 'parent') });
      }));
  }

  it('a parent is released into a paused queue', () =>
    both.assertSame(async (side) => {
      await addCompleted(side, 'child');
      await addWaitingParent(side);
      await side.queue.pause();
      await side.add({ timestamp: PAST, jobId: 'child', parent: parentOf(side, 'parent') });
    }));

  it('a parent is released without a trim of the stream', () =>
    both.assertSame(async (side) => {
      await addCompleted(side, 'child');
      await addWaitingParent(side);
      for (let i = 0; i < 150; i++) await side.add({ timestamp: PAST });
      await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
      await side.add({ timestamp: PAST, jobId: 'child', parent: parentOf(side, 'parent') });
    }));

  const addChild = async (side: Side, policy: object = {}) => {
    await side.add({ timestamp: PAST, jobId: 'parent' });
    await side.fetch();
    await side.add({ timestamp: PAST, jobId: 'child', parent: parentOf(side, 'parent'), ...policy });
    return side.fetch();
  };

  it('a completed child runs again: its value is taken back, and the parent waits', () =>
    both.assertSame(async (side) => {
      await side.complete(await addChild(side));
      await side.retry('child', 'completed');
    }));

  it('a child that failed its parent runs again: the failure is taken back, and the parent waits', () =>
    both.assertSame(async (side) => {
      await side.fail(await addChild(side, { failParentOnFailure: true }));
      await side.retry('child', 'failed');
    }));

  it('a child that failed without a policy runs again: the parent has waited all the while', () =>
    both.assertSame(async (side) => {
      await side.fail(await addChild(side));
      await side.retry('child', 'failed');
    }));

  for (const state of ['completed', 'failed'] as const) {
    it(`a ${state} child runs again whose parent is gone`, () =>
      both.assertSame(async (side) => {
        const child = await addChild(side, { failParentOnFailure: true });
        await (state === 'completed' ? side.complete(child) : side.fail(child));
        await side.redis.del(side.keys.job('parent'));
        await side.retry('child', state);
      }));
  }

  it('a completed child runs again whose value the parent no longer has', () =>
    both.assertSame(async (side) => {
      await side.complete(await addChild(side));
      await side.redis.del(side.keys.processed('parent'));
      await side.retry('child', 'completed');
    }));
});
