import assert from 'node:assert/strict';
import { CONNECTION, useSession } from './support/session';

const JOBS = 450;
const PATH = [CONNECTION, 'imports', 'Wait'];
const MORE = /^Load more/;
const PREVIOUS = /^Load previous/;

describe('a state with more jobs than a page', () => {
  // High enough for every row of a level: 200 jobs and what is around them.
  const session = useSession({
    height: 5400,
    seed: async (oracle) => {
      const jobs = Array.from({ length: JOBS }, (_, i) => ({ name: `job-${i}`, data: { i } }));
      await oracle.queue('imports').addBulk(jobs);
    },
  });

  /** Waits for the rows of the level, and checks which jobs they are. */
  const expectRows = (first: string, last: string, before: number, after: number) =>
    session.tree.expectChildren(PATH, (rows) => {
      const jobs = rows.filter(({ label }) => label.startsWith('job-'));
      assert.deepEqual([jobs[0]?.label, jobs.at(-1)?.label], [first, last]);
      const paging = (pattern: RegExp) =>
        rows.filter(({ label }) => pattern.test(label)).map(({ label }) => label);
      assert.deepEqual(paging(PREVIOUS), before ? [`Load previous… (${before} before)`] : []);
      assert.deepEqual(paging(MORE), after ? [`Load more… (${after} more)`] : []);
      assert.ok(jobs.length <= 200, `${jobs.length} jobs in one level`);
    });

  const countCalls = async (command: string) => {
    const stats = await session.oracle.redis.info('commandstats');
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  };

  it('shows the first page, next to be served first, says how many more there are, and reads it once', async () => {
    await session.tree.expand(PATH.slice(0, -1));
    const before = await Promise.all(['lrange', 'hmget'].map(countCalls));
    await session.tree.expand(PATH);
    await expectRows('job-0', 'job-99', 0, 350);
    await session.workbench.settle();
    const after = await Promise.all(['lrange', 'hmget'].map(countCalls));
    assert.deepEqual(
      after.map((calls, i) => calls - (before[i] ?? 0)),
      [1, 100],
    );
  });

  it('never holds more than 200 jobs, however often more are asked for', async () => {
    await session.tree.click([...PATH, MORE]);
    await expectRows('job-0', 'job-199', 0, 250);
    await session.tree.click([...PATH, MORE]);
    await expectRows('job-100', 'job-299', 100, 150);
    await session.tree.click([...PATH, MORE]);
    await expectRows('job-200', 'job-399', 200, 50);
    await session.tree.click([...PATH, MORE]);
    await expectRows('job-300', 'job-449', 300, 0);
  });

  it('goes back the way it came', async () => {
    await session.tree.click([...PATH, PREVIOUS]);
    await expectRows('job-200', 'job-399', 200, 50);
  });
});
