import assert from 'node:assert/strict';
import { ConnectionError, InputError } from '../../src/base/errors';
import { refuseWrites } from '../../src/executor/gate';
import { Keys } from '../../src/keys/keys';
import type { JobState } from '../../src/keys/states';
import type { BackupBatch } from '../../src/queue/backup';
import type { BulkProgress, BulkReport } from '../../src/queue/bulk';
import { Queue } from '../../src/queue/queue';
import { startCountingProxy } from '../support/countingProxy';
import { basicFields, NOW_MS, numberedJobs, seedJobs } from './support/seed';
import { openStage, rejection, type Stage } from './support/stage';

const mail = new Keys('emq', 'mail');

describe('an operation on many jobs', () => {
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

  const countIn = (state: JobState) => queue.readSummary().then(({ counts }) => counts[state]);
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`);
  /** Every job stands in the report once. */
  const assertExact = (report: BulkReport, ids: readonly string[]) => {
    const named = [
      ...report.done,
      ...report.skipped.map(({ id }) => id),
      ...report.failed.map(({ id }) => id),
    ];
    assert.deepEqual(named.sort(), [...ids].sort());
  };

  describe('that chooses', () => {
    it('gives ids in the order in which jobs run or ran, over many pages, up to a limit', async () => {
      const jobs = numberedJobs(2500);
      for (const state of ['wait', 'failed', 'delayed'] as const) {
        await seedJobs(stage.admin, mail, state, jobs);
        const seen: BulkProgress[] = [];
        assert.deepEqual(
          await queue.chooseJobs({ state }, { onProgress: (p) => seen.push(p) }),
          numbers(1, 2500),
        );
        assert.deepEqual(
          seen.map((p) => [p.phase, p.done, p.total]),
          [1000, 2000, 2500].map((done) => ['choosing', done, 2500]),
        );
        assert.deepEqual(await queue.chooseJobs({ state, limit: 1500 }), numbers(1, 1500));
      }
      assert.deepEqual(await queue.chooseJobs({ state: 'paused' }), []);
    });

    it('goes by the age: the score of finished jobs, and the times of the others', async () => {
      await seedJobs(stage.admin, mail, 'completed', numberedJobs(5));
      assert.deepEqual(await queue.chooseJobs({ state: 'completed', upToMs: NOW_MS + 2 }), ['1', '2', '3']);
      for (const state of ['wait', 'paused', 'active', 'delayed', 'prioritized'] as const) {
        await seedJobs(stage.admin, mail, state, [
          { id: `${state}-old`, fields: { ...basicFields(), timestamp: 999 } },
          { id: `${state}-new` },
          { id: `${state}-none`, fields: { name: 'n' } },
        ]);
        assert.deepEqual(await queue.chooseJobs({ state, upToMs: NOW_MS - 1 }), [
          `${state}-old`,
          `${state}-none`,
        ]);
      }
    });

    it('stops where it is cancelled', async () => {
      await seedJobs(stage.admin, mail, 'wait', numberedJobs(2500));
      const cancellation = { isCancellationRequested: false };
      const ids = await queue.chooseJobs(
        { state: 'wait' },
        {
          cancellation,
          onProgress: () => {
            cancellation.isCancellationRequested = true;
          },
        },
      );
      assert.equal(ids.length, 1000);
    });
  });

  describe('that retries', () => {
    it('runs all again in their order, each by the script that runs one', async () => {
      await seedJobs(stage.admin, mail, 'failed', numberedJobs(350));
      const report = await queue.retryJobs(await queue.chooseJobs({ state: 'failed' }), 'failed');
      assert.deepEqual(report, { done: numbers(1, 350), skipped: [], failed: [], end: 'complete' });
      assert.deepEqual(await queue.chooseJobs({ state: 'wait' }), numbers(1, 350));
      assert.ok(stage.log.every(({ script }) => script === 'reprocessJob-8'));
    });

    it('says of each job that it could not run again why, and goes on with the next', async () => {
      await seedJobs(stage.admin, mail, 'failed', numberedJobs(5));
      await stage.admin.zrem(mail.failed(), '2');
      await stage.admin.del(mail.job('3'));
      await stage.admin.set(mail.job('4'), 'text');
      const report = await queue.retryJobs(numbers(1, 5), 'failed');
      assert.deepEqual(report.done, ['1', '5']);
      assert.deepEqual(
        report.skipped.map(({ id, code }) => [id, code]),
        [
          ['2', -3],
          ['3', -1],
        ],
      );
      assert.match(report.skipped[0]?.reason ?? '', /^Job 2: the job is no longer in the state "failed"/);
      assert.deepEqual(
        report.failed.map(({ id }) => id),
        ['4'],
      );
      assert.match(report.failed[0]?.reason ?? '', /^reprocessJob-8 failed at .*WRONGTYPE/);
      assert.equal(report.end, 'complete');
    });

    it('puts lifo jobs before those that wait, and forgets attempts where asked to', async () => {
      const fields = { ...basicFields(), atm: 3, ats: 3 };
      await seedJobs(stage.admin, mail, 'wait', [{ id: 'w' }]);
      await seedJobs(stage.admin, mail, 'completed', [
        { id: 'fifo', fields },
        { id: 'lifo', fields: { ...fields, opts: '{"lifo":true}' } },
      ]);
      await queue.retryJobs(['fifo', 'lifo'], 'completed', { resetAttempts: true });
      assert.deepEqual(await queue.chooseJobs({ state: 'wait' }), ['lifo', 'w', 'fifo']);
      assert.equal(await stage.admin.hexists(mail.job('fifo'), 'atm'), 0);
    });

    it('is refused from a state where nothing is retried', () =>
      assert.rejects(queue.retryJobs(['1'], 'wait'), InputError.is));

    it('stops where it is cancelled, and tells which jobs were not reached', async () => {
      await seedJobs(stage.admin, mail, 'failed', numberedJobs(500));
      const cancellation = { isCancellationRequested: false };
      const seen: number[] = [];
      const report = await queue.retryJobs(numbers(1, 500), 'failed', {
        cancellation,
        onProgress: ({ done, total }) => {
          assert.equal(total, 500);
          seen.push(done);
          cancellation.isCancellationRequested = done >= 200;
        },
      });
      assert.equal(report.end, 'cancelled');
      assert.deepEqual(report.done, numbers(1, 200));
      assert.match(report.skipped[0]?.reason ?? '', /not its turn before this was cancelled/);
      assertExact(report, numbers(1, 500));
      assert.equal(await countIn('failed'), 300);
      assert.deepEqual(seen, [100, 200, 300, 400, 500]);
    });

    it('stops where the connection is lost, and tells which jobs were not reached', async () => {
      await seedJobs(stage.admin, mail, 'failed', numberedJobs(500));
      const report = await queue.retryJobs(numbers(1, 500), 'failed', {
        onProgress: ({ done }) => {
          if (done === 100) void stage.closeExecutors();
        },
      });
      assert.equal(report.end, 'stopped');
      assert.deepEqual(report.done, numbers(1, 100));
      assert.equal(report.skipped.length, 400);
      assert.match(report.skipped.at(-1)?.reason ?? '', /not its turn before this was stopped/);
      assertExact(report, numbers(1, 500));
    });
  });

  it('stops where no answer comes, and tells which jobs may have moved', async () => {
    const proxy = await startCountingProxy(stage.server.port);
    try {
      await seedJobs(stage.admin, mail, 'delayed', numberedJobs(500));
      const hasty = new Queue(stage.connect({ port: proxy.port, commandTimeoutMs: 500 }), mail);
      const report = await hasty.promoteJobs(numbers(1, 500), {
        onProgress: ({ done }) => {
          if (done === 100) proxy.mute(true);
        },
      });
      assert.equal(report.end, 'stopped');
      assert.deepEqual(
        report.failed.map(({ id }) => id),
        numbers(101, 200),
      );
      assert.match(report.failed[0]?.reason ?? '', /promote-9 may or may not have run/);
      assertExact(report, numbers(1, 500));
    } finally {
      await stage.closeExecutors();
      await proxy.close();
    }
  });

  it('that is not let through at all rejects with the reason', async () => {
    const closed = new Queue(refuseWrites(stage.connect()), mail);
    const error = await rejection(closed.promoteJobs(['1']), ConnectionError.is);
    assert.equal(error.code, 'readOnly');
  });

  it('promotes all in their order, and says which are not delayed any more', async () => {
    await seedJobs(
      stage.admin,
      mail,
      'delayed',
      numberedJobs(150).map((job, i) => ({ ...job, score: (NOW_MS + i) * 4096 })),
    );
    await stage.admin.zrem(mail.delayed(), '7');
    const report = await queue.promoteJobs(numbers(1, 150));
    assert.equal(report.done.length, 149);
    assert.deepEqual(
      report.skipped.map(({ id, code }) => [id, code]),
      [['7', -3]],
    );
    assert.deepEqual(
      await queue.chooseJobs({ state: 'wait' }),
      numbers(1, 150).filter((id) => id !== '7'),
    );
  });

  describe('that removes', () => {
    it('keeps to its limit and to the age', async () => {
      await seedJobs(stage.admin, mail, 'completed', numberedJobs(1600));
      const report = await queue.clean({ state: 'completed', upToMs: NOW_MS + 1400, limit: 1200 });
      assert.deepEqual(report.done, numbers(1, 1200));
      assert.equal(await countIn('completed'), 400);
      const rest = await queue.clean({ state: 'completed', upToMs: NOW_MS + 1399 });
      assert.deepEqual(rest.done, numbers(1201, 1400));
    });

    it('leaves jobs that workers hold and the next iteration of a scheduler, and says so', async () => {
      const id = `repeat:cron:${NOW_MS}`;
      await seedJobs(stage.admin, mail, 'wait', [
        { id: '1' },
        { id, fields: { ...basicFields(), rjk: 'cron' } },
        { id: '2' },
      ]);
      await stage.admin.zadd(mail.repeat(), NOW_MS, 'cron');
      await seedJobs(stage.admin, mail, 'delayed', [{ id: '3' }]);
      await seedJobs(stage.admin, mail, 'prioritized', [{ id: '4' }]);
      await seedJobs(stage.admin, mail, 'paused', [{ id: '5' }]);
      const drained = await queue.drain();
      assert.deepEqual(drained.done, ['1', '2', '5', '4']);
      assert.deepEqual(
        drained.skipped.map((one) => [one.id, one.code]),
        [[id, -8]],
      );
      assert.deepEqual(await queue.chooseJobs({ state: 'wait' }), [id]);
      assert.deepEqual((await queue.drain({ includeDelayed: true })).done, ['3']);

      await seedJobs(stage.admin, mail, 'active', [{ id: 'held' }, { id: 'lost' }]);
      await stage.admin.set(mail.lock('held'), 'token');
      for (const options of [{ backup: async () => {} }, {}]) {
        const cleaned = await queue.clean({ state: 'active' }, options);
        assert.match(cleaned.skipped[0]?.reason ?? '', /^Job held: .*holds the lock/);
      }
      assert.deepEqual(await queue.chooseJobs({ state: 'active' }), ['held']);
    });

    it('has each job kept before it goes, and removes none whose backup is not kept', async () => {
      await seedJobs(stage.admin, mail, 'failed', numberedJobs(1200));
      const kept: string[] = [];
      const report = await queue.clean(
        { state: 'failed' },
        {
          backup: async (batch: BackupBatch) => {
            if (kept.length >= 500) throw new Error('The disk is full.');
            for (const { id } of batch) {
              assert.equal(await stage.admin.exists(mail.job(id)), 1);
              kept.push(id);
            }
          },
        },
      );
      assert.deepEqual(report.done, kept);
      assert.equal(report.end, 'stopped');
      assert.match(report.skipped[0]?.reason ?? '', /its backup could not be kept: The disk is full\./);
      assertExact(report, numbers(1, 1200));
      assert.equal(await countIn('failed'), 1200 - kept.length);
    });

    it('leaves a job that changed after its backup, or whose bytes a backup cannot hold', async () => {
      await seedJobs(stage.admin, mail, 'failed', numberedJobs(4));
      await stage.admin.hset(mail.job('2'), 'data', Buffer.from([0x22, 0xf0, 0x9f, 0x98, 0x22]));
      await stage.admin.hset(mail.job('4'), 'data', '"\ufffd is text"');
      const report = await queue.clean(
        { state: 'failed' },
        { backup: async () => void (await stage.admin.hset(mail.job('3'), 'data', '{"new":1}')) },
      );
      assert.deepEqual(report.done, ['1', '4']);
      for (const { reason } of report.skipped) assert.match(reason, /changed since its backup was made, or/);
      assert.deepEqual(await queue.chooseJobs({ state: 'failed' }), ['2', '3']);
    });

    it('reports a job whose key is no hash, and goes on', async () => {
      await seedJobs(stage.admin, mail, 'failed', numberedJobs(3));
      await stage.admin.set(mail.job('2'), 'text');
      for (const options of [{ backup: async () => {} }, {}]) {
        const report = await queue.clean({ state: 'failed' }, options);
        assert.deepEqual(
          report.failed.map(({ id }) => id),
          ['2'],
        );
        assert.equal(report.end, 'complete');
      }
      assert.deepEqual(await queue.chooseJobs({ state: 'failed' }), ['2']);
    });
  });
});
