import assert from 'node:assert/strict';
import { ConnectionError, ScriptRefusal } from '../../src/base/errors';
import { Keys } from '../../src/keys/keys';
import type { JobState } from '../../src/keys/states';
import type { BackupBatch } from '../../src/queue/backup';
import { Queue } from '../../src/queue/queue';
import { dumpKeyspace } from '../support/dump';
import { basicFields, NOW_MS, numberedJobs, seedJobs } from './support/seed';
import { openStage, rejection, type Stage } from './support/stage';

const mail = new Keys('emq', 'mail');

describe('a backup', () => {
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

  /** Everything but what a removal and a restoration leave on purpose: events, and the markers that wake workers. */
  async function dump() {
    const {
      [mail.events()]: _,
      [mail.marker()]: __,
      [mail.meta()]: ___,
      ...rest
    } = await dumpKeyspace(stage.admin, mail.queueKey);
    return Object.fromEntries(Object.entries(rest).map(([name, { type, value }]) => [name, { type, value }]));
  }

  const fields = {
    ...basicFields(),
    data: '{"n":9007199254740993, "f":1.0,"ü":"\u{1f600}\ufffd","z":""}',
    ats: 2,
    empty: '',
    foreign: 'field',
  };

  /** A job in each state, among others, with everything that can hang below one. */
  async function seed(state: JobState) {
    const around = numberedJobs(3).map((job, i) => ({
      ...job,
      id: `${state}-${i}`,
      score: (NOW_MS + i) * 4096 + i,
      fields: { ...fields, deid: `${state}-d` },
    }));
    await seedJobs(stage.admin, mail, state, around);
    const id = `${state}-1`;
    await stage.admin.rpush(mail.logs(id), 'one', 'two', '');
    await stage.admin.sadd(mail.dependencies(id), 'emq:mail:x', 'emq:other:y');
    await stage.admin.hset(mail.processed(id), 'emq:mail:z', '{"a":1.0}');
    await stage.admin.hset(mail.childFailures(id), 'emq:mail:w', 'boom');
    await stage.admin.zadd(mail.unsuccessful(id), NOW_MS + 0.5, 'emq:mail:v');
    await stage.admin.set(mail.deduplication(`${state}-d`), id);
    await stage.admin.hset(mail.deduplicationNext(`${state}-d`), 'name', 'next', 'data', '{}');
  }

  for (const state of [
    'wait',
    'paused',
    'delayed',
    'prioritized',
    'active',
    'completed',
    'failed',
    'waiting-children',
  ] as const) {
    it(`of a job in ${state} brings back every key, its state and its place`, async () => {
      if (state === 'paused') await stage.admin.hset(mail.meta(), 'paused', 1);
      await seed(state);
      const before = await dump();
      const batch = await queue.readBackup([`${state}-1`]);
      assert.deepEqual(await dump(), before);
      await queue.removeJob(`${state}-1`);
      assert.notDeepEqual(await dump(), before);
      const text = JSON.stringify([batch]);
      const report = await queue.restoreJobs(JSON.parse(text) as BackupBatch[]);
      assert.deepEqual(report, {
        done: [`${state}-1`],
        skipped: [],
        failed: [],
        end: 'complete',
        remarks: [],
      });
      assert.deepEqual(await dump(), before);
    });
  }

  for (const state of ['wait', 'active', 'failed', 'delayed'] as const) {
    it(`of many jobs in ${state}, from the middle and both ends, keeps their order`, async () => {
      await seedJobs(stage.admin, mail, state, numberedJobs(1300));
      const before = await dump();
      const batches: BackupBatch[] = [];
      const ids = numberedJobs(1300)
        .map(({ id }) => id)
        .filter((id) => Number(id) % 5 !== 0);
      const removed = await queue.removeJobs(ids, { backup: async (batch) => void batches.push(batch) });
      assert.equal(removed.done.length, ids.length);
      const restored = await queue.restoreJobs(batches);
      assert.equal(restored.done.length, ids.length);
      assert.deepEqual(await dump(), before);
    });
  }

  it('deep in a long list brings the job back to its place', async () => {
    await seedJobs(stage.admin, mail, 'wait', numberedJobs(18_000));
    for (const id of ['2', '7500', '9000', '17999']) {
      const order = await stage.admin.lrange(mail.wait(), 0, -1);
      const batch = await queue.readBackup([id]);
      await queue.removeJob(id);
      await queue.restoreJobs([batch]);
      assert.deepEqual(await stage.admin.lrange(mail.wait(), 0, -1), order);
    }
  });

  it('is not restored over a job of that id', async () => {
    await seedJobs(stage.admin, mail, 'failed', numberedJobs(2));
    const batch = await queue.readBackup(['1', '2']);
    await queue.removeJob('1');
    await stage.admin.hset(mail.job('2'), 'data', '"newer"');
    const before = await stage.admin.hgetall(mail.job('2'));
    const report = await queue.restoreJobs([batch]);
    assert.deepEqual(report.done, ['1']);
    assert.match(
      report.skipped[0]?.reason ?? '',
      /^Job 2: a job of this id exists again\. Remove that one first/,
    );
    assert.deepEqual(await stage.admin.hgetall(mail.job('2')), before);
  });

  it('of a waiting job goes to paused, when the queue is paused by then, and wakes nobody', async () => {
    await seedJobs(stage.admin, mail, 'wait', numberedJobs(1));
    const batch = await queue.readBackup(['1']);
    await queue.removeJob('1');
    await queue.pause();
    await queue.restoreJobs([batch]);
    assert.deepEqual(await queue.chooseJobs({ state: 'paused' }), ['1']);
    assert.equal(await stage.admin.exists(mail.marker()), 0);
  });

  it('wakes workers for a job that is ready, and tells when a delayed one is due', async () => {
    await seedJobs(stage.admin, mail, 'prioritized', [{ id: 'p' }]);
    await seedJobs(stage.admin, mail, 'delayed', [{ id: 'd', score: (NOW_MS + 7) * 4096 }]);
    const batch = await queue.readBackup(['p', 'd']);
    for (const id of ['p', 'd']) await queue.removeJob(id);
    await queue.restoreJobs([batch]);
    assert.deepEqual(await stage.admin.zrange(mail.marker(), 0, '-1', 'WITHSCORES'), [
      ...['0', '0'],
      ...['1', `${NOW_MS + 7}`],
    ]);
  });

  it('leaves a deduplication id to whoever owns it by now, and keeps the time of one it takes', async () => {
    const owner = (id: string) => ({ id, fields: { ...basicFields(), deid: `d${id}` } });
    await seedJobs(stage.admin, mail, 'failed', [owner('1'), owner('2'), owner('3')]);
    await stage.admin.set(mail.deduplication('d1'), '1');
    await stage.admin.set(mail.deduplication('d2'), '2', 'PX', 600_000);
    await stage.admin.set(mail.deduplication('d3'), 'somebody');
    const batch = await queue.readBackup(['1', '2', '3']);
    await queue.removeJobs(['1', '2', '3']);
    await stage.admin.set(mail.deduplication('d1'), 'newer');
    await queue.restoreJobs([batch]);
    assert.equal(await stage.admin.get(mail.deduplication('d1')), 'newer');
    assert.equal(await stage.admin.get(mail.deduplication('d2')), '2');
    assert.ok((await stage.admin.pttl(mail.deduplication('d2'))) > 500_000);
    assert.equal(await stage.admin.get(mail.deduplication('d3')), 'somebody');
  });

  it('of a child makes its parent wait again, if that one waits still, and says so if not', async () => {
    const child = (id: string) => ({ id, fields: { ...basicFields(), parentKey: mail.job('parent') } });
    await seedJobs(stage.admin, mail, 'waiting-children', [{ id: 'parent' }]);
    await seedJobs(stage.admin, mail, 'failed', [child('1'), child('2')]);
    await stage.admin.sadd(mail.dependencies('parent'), mail.job('1'), mail.job('2'));
    const one = await queue.readBackup(['1']);
    await queue.removeJob('1');
    assert.deepEqual((await queue.restoreJobs([one])).remarks, []);
    assert.equal(await stage.admin.scard(mail.dependencies('parent')), 2);

    const both = await queue.readBackup(['1', '2']);
    for (const id of ['1', '2']) await queue.removeJob(id);
    assert.deepEqual(await queue.chooseJobs({ state: 'wait' }), ['parent']);
    const report = await queue.restoreJobs([both]);
    assert.deepEqual(report.done.length, 2);
    assert.deepEqual(
      report.remarks.map(({ reason }) => reason),
      ['Its parent does not wait for it any more.', 'Its parent does not wait for it any more.'],
    );
    assert.equal(await stage.admin.exists(mail.dependencies('parent')), 0);
  });

  it('of an id whose hash is gone is an entry of its state, and comes back as one', async () => {
    await seedJobs(stage.admin, mail, 'failed', numberedJobs(1));
    await stage.admin.del(mail.job('1'));
    const batches: BackupBatch[] = [];
    await queue.clean({ state: 'failed' }, { backup: async (batch) => void batches.push(batch) });
    assert.equal(await stage.admin.exists(mail.failed()), 0);
    await queue.restoreJobs(batches);
    assert.equal(await stage.admin.zscore(mail.failed(), '1'), `${NOW_MS}`);
  });

  it('writes nothing while it is read, and refuses a key of the wrong type', async () => {
    await seed('wait');
    await stage.admin.set(mail.logs('wait-2'), 'text');
    const error = await rejection(queue.readBackup(['wait-1', 'wait-2']), ConnectionError.is);
    assert.equal(error.code, 'wrongType');
  });

  describe('a stall count', () => {
    it('is forgotten with the failure noted for it, and with no other', async () => {
      const stalled = { ...basicFields(), stc: 3, defa: 'job stalled more than allowable limit' };
      await seedJobs(stage.admin, mail, 'wait', [
        { id: 'a', fields: stalled },
        { id: 'b', fields: { ...stalled, defa: 'child emq:mail:c failed' } },
      ]);
      await queue.resetStallCount('a', 3);
      await queue.resetStallCount('b', 3);
      assert.deepEqual(await stage.admin.hmget(mail.job('a'), 'stc', 'defa'), [null, null]);
      assert.deepEqual(await stage.admin.hmget(mail.job('b'), 'stc', 'defa'), [
        null,
        'child emq:mail:c failed',
      ]);
      await queue.resetStallCount('a', undefined);
    });

    it('stays where it changed meanwhile, a worker holds the job, or it is gone', async () => {
      await seedJobs(stage.admin, mail, 'active', [{ id: 'a', fields: { ...basicFields(), stc: 3 } }]);
      const changed = await rejection(queue.resetStallCount('a', 2), ScriptRefusal.is);
      assert.match(
        changed.message,
        /^Job a: its stall count changed since it was read, so nothing was written\./,
      );
      await rejection(queue.resetStallCount('a', undefined), ScriptRefusal.is);
      await stage.admin.set(mail.lock('a'), 'token');
      assert.equal((await rejection(queue.resetStallCount('a', 3), ScriptRefusal.is)).code, -6);
      assert.equal((await rejection(queue.resetStallCount('gone', 3), ScriptRefusal.is)).code, -1);
      assert.equal(await stage.admin.hget(mail.job('a'), 'stc'), '3');
    });
  });
});
