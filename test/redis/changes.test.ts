import assert from 'node:assert/strict';
import { InputError, ScriptFailure, ScriptRefusal } from '../../src/base/errors';
import { Keys } from '../../src/keys/keys';
import type { JobState } from '../../src/keys/states';
import { Queue } from '../../src/queue/queue';
import { basicFields, NOW_MS, seedJobs } from './support/seed';
import { openStage, rejection, type Stage } from './support/stage';

const mail = new Keys('emq', 'mail');

describe('a change', () => {
  let stage: Stage;
  let queue: Queue;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());
  beforeEach(async () => {
    await stage.admin.flushall();
    stage.log.length = 0;
    queue = new Queue(stage.connect(), mail, { clock: () => NOW_MS });
  });
  afterEach(() => stage.closeExecutors());

  const idsIn = async (state: JobState) =>
    (await queue.readPage(state, { offset: 0, limit: 200 })).rows.map((row) => row.id);

  describe('that removes a job', () => {
    it('takes it out of its state with all that hangs below it', async () => {
      await seedJobs(stage.admin, mail, 'failed', [{ id: 'a' }, { id: 'b' }]);
      await stage.admin.rpush(mail.logs('a'), 'row');
      await queue.removeJob('a');
      assert.deepEqual(await idsIn('failed'), ['b']);
      assert.equal(await stage.admin.exists(mail.job('a'), mail.logs('a')), 0);
    });

    it('with its children takes these as well, and without them leaves them', async () => {
      await seedJobs(stage.admin, mail, 'waiting-children', [{ id: 'p' }, { id: 'q' }]);
      await seedJobs(stage.admin, mail, 'wait', [{ id: 'child-p' }, { id: 'child-q' }]);
      for (const id of ['p', 'q']) await stage.admin.sadd(mail.dependencies(id), mail.job(`child-${id}`));
      await queue.removeJob('p', { includeChildren: true });
      await queue.removeJob('q');
      assert.deepEqual(await idsIn('wait'), ['child-q']);
    });

    it('that is gone already is no error', () => queue.removeJob('gone'));

    it('that a worker holds is refused, naming the job and the way out', async () => {
      await seedJobs(stage.admin, mail, 'active', [{ id: 'a' }]);
      await stage.admin.set(mail.lock('a'), 'token');
      const error = await rejection(queue.removeJob('a'), ScriptRefusal.is);
      assert.deepEqual([error.code, error.script, error.jobId], [0, 'removeJob-2', 'a']);
      assert.match(error.message, /^Job a: a worker holds the lock of the job.*\. Wait until .*\.$/);
      assert.deepEqual(await idsIn('active'), ['a']);
    });

    it('that is the pending iteration of a scheduler is refused with code -8', async () => {
      const id = `repeat:cron:${NOW_MS}`;
      await seedJobs(stage.admin, mail, 'delayed', [{ id, fields: { ...basicFields(), rjk: 'cron' } }]);
      await stage.admin.zadd(mail.repeat(), NOW_MS, 'cron');
      const error = await rejection(queue.removeJob(id), ScriptRefusal.is);
      assert.equal(error.code, -8);
      assert.match(error.message, /pending iteration of a job scheduler\. Remove the scheduler instead\./);
    });

    it('in a circle of parents comes to an end', async () => {
      await seedJobs(stage.admin, mail, 'wait', [{ id: 'a' }, { id: 'b' }]);
      await stage.admin.sadd(mail.dependencies('a'), mail.job('b'));
      await stage.admin.sadd(mail.dependencies('b'), mail.job('a'));
      await queue.removeJob('a', { includeChildren: true });
      assert.equal(await stage.admin.exists(mail.job('a'), mail.job('b'), mail.wait()), 0);
    });

    it('whose key is no hash changes nothing', async () => {
      await seedJobs(stage.admin, mail, 'wait', [{ id: 'a' }]);
      await stage.admin.set(mail.job('a'), 'text');
      await rejection(queue.removeJob('a'), ScriptFailure.is);
      assert.equal(await stage.admin.lpos(mail.wait(), 'a'), 0);
    });
  });

  describe('of a delay', () => {
    it('moves the job to the time asked for', async () => {
      await seedJobs(stage.admin, mail, 'delayed', [{ id: 'a', score: (NOW_MS + 9) * 4096 }]);
      await queue.changeDelay('a', 60_000);
      const [row] = (await queue.readPage('delayed', { offset: 0, limit: 1 })).rows;
      assert.equal(row?.dueMs, NOW_MS + 60_000);
      assert.equal(row?.delayMs, 60_000);
    });

    it('is refused where the job is elsewhere, gone, or the delay cannot be', async () => {
      await seedJobs(stage.admin, mail, 'wait', [{ id: 'a' }]);
      const elsewhere = await rejection(queue.changeDelay('a', 5), ScriptRefusal.is);
      assert.equal(elsewhere.code, -3);
      assert.match(elsewhere.message, /^Job a: the job is no longer in the state "delayed"/);
      assert.equal((await rejection(queue.changeDelay('gone', 5), ScriptRefusal.is)).code, -1);
      stage.log.length = 0;
      for (const delay of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER]) {
        await rejection(queue.changeDelay('a', delay), InputError.is);
      }
      assert.deepEqual(stage.log, []);
    });
  });

  describe('of a priority', () => {
    it('moves the job to its new place, wherever it waits', async () => {
      await seedJobs(stage.admin, mail, 'wait', [{ id: 'a' }, { id: 'b' }]);
      await seedJobs(stage.admin, mail, 'prioritized', [{ id: 'c', score: 2 * 2 ** 32 + 1 }]);
      await stage.admin.set(mail.priorityCounter(), 1);
      await queue.changePriority('a', 'wait', 2);
      assert.deepEqual(await idsIn('prioritized'), ['c', 'a']);
      await queue.changePriority('a', 'prioritized', 2, { isFirst: true });
      assert.deepEqual(await idsIn('prioritized'), ['a', 'c']);
      await queue.changePriority('c', 'prioritized', 0);
      assert.deepEqual(await idsIn('wait'), ['b', 'c']);
    });

    it('is refused where it has no meaning, where the job is gone, or where it cannot be', async () => {
      await rejection(queue.changePriority('a', 'completed', 1), InputError.is);
      for (const priority of [-1, 0.5, 2 ** 21 + 1]) {
        await rejection(queue.changePriority('a', 'wait', priority), InputError.is);
      }
      assert.deepEqual(stage.log, []);
      assert.equal((await rejection(queue.changePriority('gone', 'wait', 1), ScriptRefusal.is)).code, -1);
    });
  });

  describe('of data', () => {
    const data = '{"n":9007199254740993, "f":1.0,"ü":"\\u0000\u{1f600}"}';

    it('writes exactly what is given', async () => {
      await seedJobs(stage.admin, mail, 'wait', [{ id: 'a', fields: { ...basicFields(), data } }]);
      const next = data.replace('1.0', '2.00');
      await queue.updateData('a', data, next);
      assert.equal(await stage.admin.hget(mail.job('a'), 'data'), next);
    });

    it('is refused when a byte changed since it was read', async () => {
      await seedJobs(stage.admin, mail, 'wait', [{ id: 'a', fields: { ...basicFields(), data } }]);
      const error = await rejection(queue.updateData('a', data.replace(', ', ','), '{}'), ScriptRefusal.is);
      assert.match(
        error.message,
        /^Job a: its data changed since it was read, so nothing was written\. Open/,
      );
      assert.equal(await stage.admin.hget(mail.job('a'), 'data'), data);
    });

    it('is refused when they hold bytes that are no text, which the edit would lose', async () => {
      await seedJobs(stage.admin, mail, 'wait', [{ id: 'a' }]);
      await stage.admin.hset(mail.job('a'), 'data', Buffer.from([0x22, 0xff, 0x22]));
      const read = await queue.readJob('a');
      const shown = read?.data && 'text' in read.data ? read.data.text : '';
      await rejection(queue.updateData('a', shown, '{}'), ScriptRefusal.is);
    });

    it('is refused when the job is gone, and writes no hash', async () => {
      assert.equal((await rejection(queue.updateData('gone', '{}', '{}'), ScriptRefusal.is)).code, -1);
      assert.equal(await stage.admin.exists(mail.job('gone')), 0);
    });

    it('is refused when it is no JSON, before anything is sent', async () => {
      await rejection(queue.updateData('a', '{}', '{'), InputError.is);
      assert.deepEqual(stage.log, []);
    });
  });
});
