import assert from 'node:assert/strict';
import { menuLabel, paletteLabel } from './support/manifest';
import { CONNECTION, useSession } from './support/session';

/** Names of jobs are unique in each test, so that a row tells which job it is. */
describe('moving jobs', () => {
  const session = useSession({
    writable: [CONNECTION],
    seed: async (oracle) => {
      for (const name of ['fails-in-tree', 'fails-in-palette']) await oracle.add('emails', name, { name });
      await oracle.failJobs('emails');
      for (const name of ['later-in-tree', 'later-in-palette']) {
        await oracle.add('reports', name, { name }, { delay: 3_600_000 });
      }
      await oracle.add('orders', 'existing', {});
      // Jobs taken first are the lost ones; the job a worker holds is taken last.
      for (const queue of ['imports', 'exports']) {
        await oracle.add(queue, 'lost', {});
        await oracle.loseJob(queue);
        await oracle.add(queue, 'alive', {});
        await oracle.holdJobs(queue, 1);
      }
    },
  });

  const idOf = async (queue: string, name: string) => {
    const jobs = await session.oracle.queue(queue).getJobs();
    return jobs.find((job) => job.name === name)?.id ?? assert.fail(`${queue} has no job ${name}`);
  };
  const stateOf = async (queue: string, id: string) => session.oracle.queue(queue).getJobState(id);
  /** The kinds of the last events of a queue, newest first. */
  const lastEvents = async (queue: string, count: number) => {
    const { redis, keys } = session.oracle;
    const events = await redis.xrevrange(keys(queue).events(), '+', '-', 'COUNT', count);
    return events.map(([, fields]) => fields[fields.indexOf('event') + 1]);
  };

  describe('retry', () => {
    it('puts a failed job back into wait, from its row in the tree', async () => {
      const id = await idOf('emails', 'fails-in-tree');
      const path = [CONNECTION, 'emails', 'Failed', 'fails-in-tree'];
      await session.tree.expand(path.slice(0, -1));
      await session.tree.chooseFromMenu(path, menuLabel('echomq.job.retry'));
      await session.workbench.toast(/Retried/).waitFor();
      assert.equal(await stateOf('emails', id), 'waiting');
      const { redis, keys } = session.oracle;
      assert.equal(await redis.hexists(keys('emails').job(id), 'failedReason'), 0);
      assert.deepEqual(await lastEvents('emails', 1), ['waiting']);
    });

    it('puts a failed job back into wait, from the palette', async () => {
      const id = await idOf('emails', 'fails-in-palette');
      await session.workbench.runCommand(paletteLabel('echomq.job.retry'));
      await session.workbench.pick('emails', 'Queue');
      await session.workbench.pick('fails-in-palette', 'Job of emails');
      await session.workbench.toast(/Retried/).waitFor();
      assert.equal(await stateOf('emails', id), 'waiting');
    });

    it('shows the job under its new state without being asked', async () => {
      await session.tree.expand([CONNECTION, 'emails', 'Wait']);
      await session.tree.require([CONNECTION, 'emails', 'Wait', 'fails-in-palette']);
      assert.equal((await session.tree.require([CONNECTION, 'emails', 'Failed'])).description, '0');
      await session.tree.collapse([CONNECTION, 'emails']);
    });
  });

  describe('promote', () => {
    it('makes a delayed job wait, by the button in its row', async () => {
      const id = await idOf('reports', 'later-in-tree');
      const path = [CONNECTION, 'reports', 'Delayed', 'later-in-tree'];
      await session.tree.expand(path.slice(0, -1));
      await session.tree.pressInline(path, menuLabel('echomq.job.promote'));
      await session.workbench.toast(/Promoted/).waitFor();
      assert.equal(await stateOf('reports', id), 'waiting');
      assert.equal(await session.oracle.redis.hget(session.oracle.keys('reports').job(id), 'delay'), '0');
      await session.tree.collapse([CONNECTION, 'reports']);
    });

    it('makes a delayed job wait, from the palette', async () => {
      const id = await idOf('reports', 'later-in-palette');
      await session.workbench.runCommand(paletteLabel('echomq.job.promote'));
      await session.workbench.pick('reports', 'Queue');
      await session.workbench.pick('later-in-palette', 'Job of reports');
      await session.workbench.toast(/Promoted/).waitFor();
      assert.equal(await stateOf('reports', id), 'waiting');
    });
  });

  describe('add', () => {
    /** Answers the questions after the name and the data: delay, priority, attempts and id. */
    async function answer(name: string, data: string, rest: readonly [string, string, string, string]) {
      const [delay, priority, attempts, id] = rest;
      const { workbench } = session;
      await workbench.enter(name, 'Job name');
      await workbench.enter(data, 'Data as JSON');
      await workbench.enter(delay, 'Delay');
      await workbench.enter(priority, 'Priority');
      await workbench.enter(attempts, 'Attempts');
      await workbench.enter(id, 'Custom job id');
    }

    it('adds a job from a queue’s row, its data stored byte for byte', async () => {
      const data = '{"amount":1.0,"id":9007199254740993,"z":1,"a":2}';
      await session.tree.expand([CONNECTION]);
      await session.tree.chooseFromMenu([CONNECTION, 'orders'], menuLabel('echomq.job.add'));
      await answer('from-tree', data, ['0', '0', '3', 'order-7']);
      await session.workbench.toast(/Added job order-7/).waitFor();
      const { redis, keys } = session.oracle;
      const job = await redis.hgetall(keys('orders').job('order-7'));
      assert.equal(job.name, 'from-tree');
      assert.equal(job.data, data);
      assert.equal(JSON.parse(job.opts ?? '').attempts, 3);
      assert.equal(await redis.lindex(keys('orders').wait(), 0), 'order-7');
    });

    it('adds a delayed job from the palette, and checks what is typed before it is sent', async () => {
      const { workbench } = session;
      await workbench.runCommand(paletteLabel('echomq.job.add'));
      await workbench.pick('orders', 'Queue');
      await workbench.enter('from-palette', 'Job name');
      await workbench.enter('{"half":', 'Data as JSON');
      await workbench.expectQuickInput('The data is no JSON');
      await workbench.enter('{}');
      await workbench.enter('10m', 'Delay');
      await workbench.enter('0', 'Priority');
      await workbench.enter('1', 'Attempts');
      await workbench.enter('', 'Custom job id');
      await workbench.toast(/Added job/).waitFor();
      const id = await idOf('orders', 'from-palette');
      assert.equal(await stateOf('orders', id), 'delayed');
      assert.equal(await session.oracle.redis.hget(session.oracle.keys('orders').job(id), 'delay'), '600000');
    });

    it('says so when a job of that id exists, and changes nothing', async () => {
      const { redis, keys } = session.oracle;
      const before = await redis.hgetall(keys('orders').job('order-7'));
      await session.tree.chooseFromMenu([CONNECTION, 'orders'], menuLabel('echomq.job.add'));
      await answer('again', '{"other":true}', ['0', '0', '1', 'order-7']);
      await session.workbench.toast(/already has a job order-7/).waitFor();
      assert.deepEqual(await redis.hgetall(keys('orders').job('order-7')), before);
    });
  });

  describe('forced stall recovery', () => {
    /** Accepts the limit, ticks every offered job and lets the recovery run. Returns what was offered. */
    async function recoverAll(): Promise<string> {
      const { workbench } = session;
      await workbench.enter('1', 'Stall limit');
      await workbench.expectQuickInput('without a lock');
      const offered = (await workbench.quickRow('').allInnerTexts()).join('\n');
      await workbench.tickAll();
      await workbench.page.keyboard.press('Enter');
      assert.match(await workbench.answerDialog('Recover'), /may still be running/);
      return offered;
    }

    async function assertRecovered(queue: string, offered: string): Promise<void> {
      const { oracle, workbench } = session;
      assert.match(offered, /lost/);
      assert.doesNotMatch(offered, /alive/);
      const lost = await idOf(queue, 'lost');
      const alive = await idOf(queue, 'alive');
      await workbench.toast(new RegExp(`Recovered 1 job of ${queue}: ${lost}`)).waitFor();
      const { redis } = oracle;
      const keys = oracle.keys(queue);
      assert.equal(await redis.hget(keys.job(lost), 'stc'), '1');
      assert.deepEqual(await redis.lrange(keys.active(), 0, -1), [alive]);
      assert.ok(await redis.get(keys.lock(alive)), 'the live lock was touched');
      assert.deepEqual(await redis.keys('*recovery*'), [], 'a private key of the recovery is left');
      assert.equal(await redis.exists(keys.stalledCheck()), 0, 'the workers’ throttle was set');
    }

    it('recovers a job without a lock and leaves a live one alone, from the tree', async () => {
      await session.tree.expand([CONNECTION, 'imports']);
      await session.tree.chooseFromMenu(
        [CONNECTION, 'imports', 'Active'],
        menuLabel('echomq.queue.recoverStalled'),
      );
      await assertRecovered('imports', await recoverAll());
    });

    it('recovers a job without a lock and leaves a live one alone, from the palette', async () => {
      await session.workbench.runCommand(paletteLabel('echomq.queue.recoverStalled'));
      await session.workbench.pick('exports', 'Queue');
      await assertRecovered('exports', await recoverAll());
    });

    it('says that there is nothing to recover where every active job has its lock', async () => {
      await session.workbench.runCommand(paletteLabel('echomq.queue.recoverStalled'));
      await session.workbench.pick('exports', 'Queue');
      await session.workbench.toast(/nothing to recover/).waitFor();
    });
  });
});
