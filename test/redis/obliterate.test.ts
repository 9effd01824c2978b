import assert from 'node:assert/strict';
import { ScriptRefusal } from '../../src/base/errors';
import { Keys } from '../../src/keys/keys';
import { STATE_NAMES } from '../../src/keys/states';
import type { BackupBatch } from '../../src/queue/backup';
import { Queue } from '../../src/queue/queue';
import { basicFields, NOW_MS, seedJobs } from './support/seed';
import { openStage, rejection, type Stage } from './support/stage';

const mail = new Keys('emq', 'mail');
const other = new Keys('emq', 'mail2');

describe('removing a whole queue', () => {
  let stage: Stage;
  let queue: Queue;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());
  beforeEach(async () => {
    await stage.admin.flushall();
    queue = new Queue(stage.connect(), mail, { clock: () => NOW_MS });
  });
  afterEach(() => stage.closeExecutors());

  /** Jobs in every state but `active`, the pending iteration of a scheduler among them. Returns their ids. */
  async function fill(count = 3): Promise<string[]> {
    const ids: string[] = [];
    for (const state of STATE_NAMES.filter((name) => name !== 'active')) {
      const jobs = Array.from({ length: count }, (_, i) => ({ id: `${state}-${i}` }));
      await seedJobs(stage.admin, mail, state, jobs);
      ids.push(...jobs.map(({ id }) => id));
    }
    const id = `repeat:cron:${NOW_MS}`;
    await seedJobs(stage.admin, mail, 'delayed', [{ id, fields: { ...basicFields(), rjk: 'cron' } }]);
    await stage.admin.zadd(mail.repeat(), NOW_MS, 'cron');
    await stage.admin.hset(mail.scheduler('cron'), 'name', 'n', 'ic', 1);
    await stage.admin.hset(mail.meta(), 'version', 'bullmq:5.73.2');
    await seedJobs(stage.admin, other, 'wait', [{ id: 'other' }]);
    return [...ids, id].sort();
  }
  const keysLeft = async () => (await stage.admin.keys(`${mail.base}*`)).sort();
  const isPaused = async () => (await queue.readSummary()).isPaused;

  for (const hasBackup of [true, false]) {
    it(`takes everything and nothing else, ${hasBackup ? 'after a backup' : 'without a backup'}`, async () => {
      const ids = await fill();
      const kept: string[] = [];
      const backup = async (batch: BackupBatch) => void kept.push(...batch.map(({ id }) => id));
      const report = await queue.obliterate(hasBackup ? { backup } : {});
      assert.deepEqual([...report.done].sort(), ids);
      assert.deepEqual([report.skipped, report.failed, report.end], [[], [], 'complete']);
      assert.deepEqual(await keysLeft(), []);
      if (hasBackup) assert.deepEqual(kept.sort(), ids);
      assert.equal(await stage.admin.llen(other.wait()), 1);
    });
  }

  it('is refused while jobs are active, and changes nothing', async () => {
    await fill();
    await seedJobs(stage.admin, mail, 'active', [{ id: 'a' }]);
    const before = await keysLeft();
    const error = await rejection(queue.obliterate(), ScriptRefusal.is);
    assert.equal(error.code, -2);
    assert.match(error.message, /^Workers hold jobs of the queue\. Wait until they are done, or .* force\.$/);
    assert.deepEqual(await keysLeft(), before);
    assert.equal(await isPaused(), false);
  });

  it('takes active jobs and their locks with force, after a backup of them', async () => {
    const ids = await fill();
    await seedJobs(stage.admin, mail, 'active', [{ id: 'held' }, { id: 'lost' }]);
    await stage.admin.set(mail.lock('held'), 'token', 'PX', 60_000);
    const kept: string[] = [];
    const report = await queue.obliterate({
      force: true,
      backup: async (batch) => void kept.push(...batch.map(({ id }) => id)),
    });
    assert.deepEqual([...report.done].sort(), [...ids, 'held', 'lost'].sort());
    assert.deepEqual(kept.sort(), [...ids, 'held', 'lost'].sort());
    assert.deepEqual(await keysLeft(), []);
  });

  for (const wasPaused of [false, true]) {
    const left = wasPaused ? 'leaves it paused, as it was' : 'lets it go on';

    it(`${left}, when it is cancelled`, async () => {
      await fill(150);
      if (wasPaused) await queue.pause();
      const cancellation = { isCancellationRequested: false };
      const report = await queue.obliterate({
        cancellation,
        onProgress: ({ phase, done }) => {
          cancellation.isCancellationRequested = phase === 'moving' && done >= 300;
        },
      });
      assert.equal(report.end, 'cancelled');
      assert.ok(report.done.length > 0 && report.skipped.length > 0);
      assert.equal(await isPaused(), wasPaused);
    });

    it(`${left}, when a backup cannot be kept, and removes nothing`, async () => {
      await fill();
      if (wasPaused) await queue.pause();
      const report = await queue.obliterate({ backup: () => Promise.reject(new Error('The disk is full.')) });
      assert.equal(report.end, 'stopped');
      assert.deepEqual(report.done, []);
      assert.equal(await isPaused(), wasPaused);
      const wanted = wasPaused ? 'paused' : 'wait';
      assert.equal((await queue.chooseJobs({ state: wanted })).length, 6);
    });

    it(`${left}, when a job holds what a backup cannot`, async () => {
      await fill();
      if (wasPaused) await queue.pause();
      await stage.admin.hset(mail.job('failed-1'), 'data', Buffer.from([0x22, 0xff, 0x22]));
      const report = await queue.obliterate({ backup: async () => {} });
      assert.equal(report.end, 'stopped');
      assert.match(
        report.skipped.find(({ id }) => id === 'failed-1')?.reason ?? '',
        /bytes that are no text/,
      );
      assert.equal(await stage.admin.exists(mail.job('failed-1'), mail.job(`repeat:cron:${NOW_MS}`)), 2);
      assert.equal(await isPaused(), wasPaused);
    });
  }

  it('of a queue that can be restored from its backup puts every job back', async () => {
    const ids = await fill();
    const batches: BackupBatch[] = [];
    await queue.obliterate({ backup: async (batch) => void batches.push(batch) });
    const report = await queue.restoreJobs(batches);
    assert.deepEqual([...report.done].sort(), ids);
    const { counts } = await queue.readSummary();
    // What stood in `paused` was moved there by the removal, or before it: now it waits.
    assert.deepEqual(counts, {
      ...counts,
      wait: 6,
      delayed: 4,
      prioritized: 3,
      failed: 3,
      'waiting-children': 3,
    });
  });
});
