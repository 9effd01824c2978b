/** What finishing a child does to its parent: the policies, the places of the parent, and removal. */
import { PAST } from './support/operations';
import { Comparison, type Side, TOKEN } from './support/scenario';
import { type Finish, fetchJob, finishJob, NOW } from './support/workerCalls';

const plain = { timestamp: PAST };
const POLICIES = {
  'no policy': {},
  failParentOnFailure: { failParentOnFailure: true },
  continueParentOnFailure: { continueParentOnFailure: true },
  ignoreDependencyOnFailure: { ignoreDependencyOnFailure: true },
  removeDependencyOnFailure: { removeDependencyOnFailure: true },
};

/** A child that is active last, under a parent that is where `place` puts it. */
type Place = (side: Side) => Promise<unknown>;

/** Takes the parent, which has been active so far, to another state. */
const PLACES: Record<string, Place> = {
  'that is active': async () => undefined,
  'that waits for its children': (side) => moveParent(side, side.keys.waitingChildren()),
  'that is delayed': async (side) => {
    await moveParent(side, side.keys.delayed(), (NOW + 90000) * 4096);
    await side.redis.hset(side.keys.job('parent'), 'delay', '90000');
  },
  'that has failed': (side) => moveParent(side, side.keys.failed()),
  'whose hash is gone': (side) => side.redis.del(side.keys.job('parent')),
  'that waits for its children, and whose hash is gone': async (side) => {
    await moveParent(side, side.keys.waitingChildren());
    await side.redis.del(side.keys.job('parent'));
  },
  'that waits for its children, with a priority': async (side) => {
    await moveParent(side, side.keys.waitingChildren());
    await side.redis.hset(side.keys.job('parent'), 'priority', '4');
  },
  'that waits for its children, with a delay': async (side) => {
    await moveParent(side, side.keys.waitingChildren());
    await side.redis.hset(side.keys.job('parent'), 'delay', '60000');
  },
  'that waits for its children in a paused queue': async (side) => {
    await moveParent(side, side.keys.waitingChildren());
    await side.queue.pause();
  },
};

async function moveParent(side: Side, key: string, score = PAST): Promise<void> {
  await side.redis.lrem(side.keys.active(), 0, 'parent');
  await side.redis.zadd(key, score, 'parent');
}

/** A parent and its active children, with the parent active. */
async function addFamily(side: Side, children: readonly string[], policy: object = {}): Promise<void> {
  await side.add({ ...plain, jobId: 'parent' });
  await fetchJob(side);
  await side.redis.del(side.keys.lock('parent'));
  const parent = { id: 'parent', queue: side.keys.queueKey };
  for (const jobId of children) {
    await side.add({ ...plain, jobId, parent, ...policy });
    await fetchJob(side);
  }
}

describe('finishing a child leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  const outcomes: Record<string, Finish> = {
    completed: { target: 'completed' },
    failed: { target: 'failed' },
    'completed and removed': { target: 'completed', keepJobs: { count: 0 } },
    'failed and removed': { target: 'failed', keepJobs: { count: 0 } },
  };

  for (const [outcome, finish] of Object.entries(outcomes)) {
    for (const [policy, options] of Object.entries(POLICIES)) {
      if (finish.target === 'completed' && policy !== 'no policy') continue;
      for (const [where, place] of Object.entries(PLACES)) {
        it(`${outcome}, with ${policy}, the last child of a parent ${where}`, () =>
          both.assertSame(async (side) => {
            await addFamily(side, ['child'], options);
            await place(side);
            await finishJob(side, 'child', finish);
          }));
      }

      it(`${outcome}, with ${policy}, one of two children`, () =>
        both.assertSame(async (side) => {
          await addFamily(side, ['child', 'other'], options);
          await moveParent(side, side.keys.waitingChildren());
          await finishJob(side, 'child', finish);
          await finishJob(side, 'other', finish);
        }));

      it(`${outcome}, with ${policy}, a child the parent does not wait for`, () =>
        both.assertSame(async (side) => {
          await addFamily(side, ['child'], options);
          await moveParent(side, side.keys.waitingChildren());
          await side.redis.del(side.keys.dependencies('parent'));
          await finishJob(side, 'child', finish);
        }));
    }

    it(`${outcome}, a child whose parent is in another queue`, () =>
      both.assertSame(async (side) => {
        const parents = await side.openQueue('-parents');
        await parents.add('parent', {}, { ...plain, jobId: 'parent' });
        const queue = `${side.keys.queueKey}-parents`;
        await side.redis.del(`${queue}:wait`, `${queue}:marker`);
        await side.redis.zadd(`${queue}:waiting-children`, PAST, 'parent');
        const parent = { id: 'parent', queue };
        await side.add({ ...plain, jobId: 'child', parent, removeDependencyOnFailure: true });
        await fetchJob(side);
        await finishJob(side, 'child', finish);
      }));

    it(`${outcome}, a child of which only the parent's key is known`, () =>
      both.assertSame(async (side) => {
        await addFamily(side, ['child'], { failParentOnFailure: true });
        await side.redis.hdel(side.keys.job('child'), 'parent');
        await moveParent(side, side.keys.waitingChildren());
        await finishJob(side, 'child', finish);
      }));
  }

  it('and the flags of the options are not read', () =>
    both.assertSame(async (side) => {
      await addFamily(side, ['child']);
      await moveParent(side, side.keys.waitingChildren());
      await side.redis.hset(side.keys.job('child'), 'opts', '{"attempts":0,"fpof":true}');
      await finishJob(side, 'child', { target: 'failed' });
    }));

  it('and the parent completes when it is its turn', () =>
    both.assertSame(async (side) => {
      await addFamily(side, ['child']);
      await moveParent(side, side.keys.waitingChildren());
      await finishJob(side, 'child', { fetchNext: true });
      await finishJob(side, 'parent');
    }));

  it('and a parent of which a child failed is given with its deferred failure, and cannot complete', () =>
    both.assertSame(async (side) => {
      await addFamily(side, ['child'], { failParentOnFailure: true });
      await moveParent(side, side.keys.waitingChildren());
      await finishJob(side, 'child', { target: 'failed', fetchNext: true });
      await finishJob(side, 'parent');
      await finishJob(side, 'parent', { target: 'failed' });
    }));

  for (const keepJobs of [{ count: 1 }, { age: 1 }]) {
    describe(`children that are no longer kept (${JSON.stringify(keepJobs)})`, () => {
      const finishAnother = async (side: Side) => {
        await side.add(plain);
        await fetchJob(side, { timestamp: NOW });
        await finishJob(side, String(await side.redis.get(side.keys.id())), { target: 'failed', keepJobs });
      };
      /** A failed child that its parent still waits for. */
      const failChild = async (side: Side, children: readonly string[] = ['child']) => {
        await addFamily(side, children);
        await finishJob(side, 'child', { target: 'failed', timestamp: NOW - 5000 });
      };

      for (const [where, place] of Object.entries(PLACES)) {
        it(`the last one of a parent ${where}`, () =>
          both.assertSame(async (side) => {
            await failChild(side);
            await place(side);
            await finishAnother(side);
          }));
      }

      it('one of two', () =>
        both.assertSame(async (side) => {
          await failChild(side, ['child', 'other']);
          await moveParent(side, side.keys.waitingChildren());
          await finishAnother(side);
        }));

      it('with a token of nobody, whose parent waits in another queue', () =>
        both.assertSame(async (side) => {
          const queue = `${side.keys.queueKey}-parents`;
          await side.redis.hset(`${queue}:parent`, 'name', 'parent');
          await side.redis.zadd(`${queue}:waiting-children`, PAST, 'parent');
          const parent = { id: 'parent', queue };
          await side.add({ ...plain, jobId: 'child', parent });
          await fetchJob(side, { token: TOKEN });
          await finishJob(side, 'child', { target: 'failed', timestamp: NOW - 5000 });
          await finishAnother(side);
        }));
    });
  }
});
