import assert from 'node:assert/strict';
import { STATES } from '../../src/keys/states';
import { menuLabel } from './support/manifest';
import type { Oracle } from './support/oracle';
import { CONNECTION, useSession } from './support/session';

const QUEUES = ['emails', 'images', 'payments', 'reports', 'webhooks'];

/** Workers of the reference library are at work on every queue: one job completed, one failed, two in their hands. */
async function seed(oracle: Oracle): Promise<void> {
  for (const [index, queue] of QUEUES.entries()) {
    await oracle.add(queue, 'done', { index });
    await oracle.completeJobs(queue);
    await oracle.add(queue, 'broken', { index });
    await oracle.failJobs(queue);
    for (let i = 0; i <= index + 1; i += 1) await oracle.add(queue, `running-${i}`, {});
    await oracle.holdJobs(queue, 2);
    await oracle.add(queue, 'later', {}, { delay: 3_600_000 });
    await oracle.add(queue, 'urgent', {}, { priority: 1 + index });
  }
  await oracle.addFlow('reports', 'emails');
  await oracle.queue('newsletters').pause();
  await oracle.add('newsletters', 'held back', {});
}

describe('the tree while workers are working', () => {
  const session = useSession({ seed });

  /** Compares every state row of a queue with Redis. */
  async function assertCounts(queue: string): Promise<void> {
    const { tree, oracle, workbench } = session;
    await tree.expand([CONNECTION, queue]);
    await workbench.until(async () => {
      const before = await oracle.count(queue);
      const rows = await tree.readChildren([CONNECTION, queue]);
      const shown = Object.fromEntries(rows.map(({ label, description }) => [label, description]));
      const wanted = Object.fromEntries(STATES.map(({ state, title }) => [title, `${before[state]}`]));
      assert.deepEqual(shown, wanted, `${queue}: the tree is not what LLEN and ZCARD say`);
    });
    await tree.collapse([CONNECTION, queue]);
  }

  it('shows each queue with its counts, and says which one is paused', async () => {
    await session.tree.expand([CONNECTION]);
    const rows = await session.workbench.until(async () => {
      const found = await session.tree.readChildren([CONNECTION]);
      assert.equal(found.length, QUEUES.length + 1);
      return found;
    });
    assert.deepEqual(rows.map(({ label }) => label).sort(), [...QUEUES, 'newsletters'].sort());
    for (const { label, description } of rows) {
      const counts = await session.oracle.count(label);
      for (const { state } of STATES) {
        if (counts[state] > 0) assert.ok(description.includes(`${counts[state]} ${state}`), description);
      }
      assert.equal(/paused/.test(description), label === 'newsletters');
    }
  });

  it('shows in all eight states what LLEN and ZCARD say', async () => {
    for (const queue of [...QUEUES, 'newsletters']) await assertCounts(queue);
    const totals = await Promise.all([...QUEUES, 'newsletters'].map((queue) => session.oracle.count(queue)));
    for (const { state } of STATES) {
      assert.ok(
        totals.some((counts) => counts[state] > 0),
        `no queue had a job in ${state}: the test proves too little`,
      );
    }
  });

  it('shows the new counts after a refresh, when the workers have gone on', async () => {
    const { oracle, tree, workbench } = session;
    oracle.letGo();
    for (const queue of QUEUES)
      await workbench.until(async () => {
        const { wait, prioritized, active } = await oracle.count(queue);
        assert.deepEqual([wait, prioritized, active], [0, 0, 0]);
      });
    await tree.pressTitleAction(menuLabel('echomq.queues.refresh'));
    for (const queue of QUEUES) await assertCounts(queue);
  });
});
