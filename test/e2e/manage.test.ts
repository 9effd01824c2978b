import assert from 'node:assert/strict';
import { menuLabel, paletteLabel } from './support/manifest';
import { CONNECTION, useSession } from './support/session';

describe('managing queues and jobs', () => {
  const session = useSession({
    writable: [CONNECTION],
    seed: async (oracle) => {
      await oracle.add('mails', 'first', {}, { jobId: 'm-1' });
      await oracle.add('mails', 'second', {}, { jobId: 'm-2' });
      await oracle.add('mails', 'later', {}, { jobId: 'm-3', delay: 3_600_000 });
      await oracle.add('bills', 'broken', { due: 1 }, { jobId: 'b-1' });
      await oracle.add('bills', 'broken', { due: 2 }, { jobId: 'b-2' });
      await oracle.failJobs('bills');
    },
  });

  it('pauses a queue and resumes it, from its row', async () => {
    const { tree, workbench, oracle } = session;
    const { redis } = oracle;
    const keys = oracle.keys('mails');
    await tree.expand([CONNECTION]);
    await tree.chooseFromMenu([CONNECTION, 'mails'], menuLabel('echomq.queue.pause'));
    await workbench.toast(/mails: paused/).waitFor();
    assert.equal(await redis.hget(keys.meta(), 'paused'), '1');
    assert.deepEqual(await redis.lrange(keys.paused(), 0, -1), ['m-2', 'm-1']);
    await tree.chooseFromMenu([CONNECTION, 'mails'], menuLabel('echomq.queue.resume'));
    await workbench.toast(/mails: resumed/).waitFor();
    assert.equal(await redis.hexists(keys.meta(), 'paused'), 0);
    assert.deepEqual(await redis.lrange(keys.wait(), 0, -1), ['m-2', 'm-1']);
  });

  it('gives a waiting job a priority, after a question that refuses what is none', async () => {
    const { tree, workbench, oracle } = session;
    const keys = oracle.keys('mails');
    const path = [CONNECTION, 'mails', 'Wait', 'second'];
    await tree.expand(path.slice(0, -1));
    await tree.chooseFromMenu(path, menuLabel('echomq.job.changePriority'));
    await workbench.enter('7', 'm-2');
    await workbench.toast(/Changed the priority of job m-2/).waitFor();
    assert.deepEqual(await oracle.redis.zrange(keys.prioritized(), '0', '-1'), ['m-2']);
    assert.deepEqual(await oracle.redis.lrange(keys.wait(), 0, -1), ['m-1']);
  });

  it('gives a delayed job another time', async () => {
    const { workbench, oracle } = session;
    const keys = oracle.keys('mails');
    await workbench.runCommand(paletteLabel('echomq.job.changeDelay'));
    await workbench.pick('mails', 'Queue');
    await workbench.pick('later', 'Job of mails');
    await workbench.enter('2h', 'm-3');
    await workbench.toast(/Changed the delay of job m-3/).waitFor();
    const due = Number(await oracle.redis.zscore(keys.delayed(), 'm-3')) / 0x1000 - Date.now();
    assert.ok(due > 3_600_000 && due <= 7_200_000, `${due}`);
  });

  it('removes a job after a question, and brings it back whole', async () => {
    const { tree, workbench, oracle } = session;
    const { redis } = oracle;
    const keys = oracle.keys('bills');
    const before = await redis.hgetall(keys.job('b-1'));
    const places = await redis.zrange(keys.failed(), '0', '-1', 'WITHSCORES');
    await tree.expand([CONNECTION, 'bills', 'Failed']);
    await workbench.runCommand(paletteLabel('echomq.job.remove'));
    await workbench.pick('bills', 'Queue');
    await workbench.pick(/b-1/, 'Job of bills');
    assert.match(await workbench.answerDialog('Remove'), /1 job[\s\S]*bills[\s\S]*b-1/);
    await workbench.toast(/Remove from bills: 1 job done/).waitFor();
    assert.equal(await redis.exists(keys.job('b-1')), 0);
    assert.deepEqual(await redis.zrange(keys.failed(), '0', '-1'), ['b-2']);
    await workbench.runCommand(paletteLabel('echomq.jobs.restore'));
    await workbench.pick('1 job of bills', 'come back');
    await workbench.until(async () => assert.equal(await redis.exists(keys.job('b-1')), 1));
    assert.deepEqual(await redis.hgetall(keys.job('b-1')), before);
    assert.deepEqual(await redis.zrange(keys.failed(), '0', '-1', 'WITHSCORES'), places);
  });

  it('retries all failed jobs after a question', async () => {
    const { tree, workbench, oracle } = session;
    const keys = oracle.keys('bills');
    await tree.expand([CONNECTION, 'bills']);
    await tree.chooseFromMenu([CONNECTION, 'bills', 'Failed'], menuLabel('echomq.jobs.retryAll'));
    assert.match(await workbench.answerDialog('Retry'), /Retry all 2 failed jobs of bills/);
    await workbench.toast(/2 jobs done/).waitFor();
    assert.equal(await oracle.redis.zcard(keys.failed()), 0);
    assert.equal(await oracle.redis.llen(keys.wait()), 2);
  });
});
