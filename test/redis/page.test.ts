import assert from 'node:assert/strict';
import { ConnectionError } from '../../src/base/errors';
import { Keys } from '../../src/keys/keys';
import { type JobState, STATE_NAMES } from '../../src/keys/states';
import { Queue } from '../../src/queue/queue';
import { type CountingProxy, startCountingProxy } from '../support/countingProxy';
import { basicFields, NOW_MS, numberedJobs, seedJobs } from './support/seed';
import { openStage, type Stage } from './support/stage';

const mail = new Keys('emq', 'mail');

describe('a page of a state', () => {
  let stage: Stage;
  let queue: Queue;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());
  beforeEach(async () => {
    await stage.admin.flushall();
    queue = new Queue(stage.connect(), mail);
  });
  afterEach(() => stage.closeExecutors());

  const idsOf = async (state: JobState, offset: number, limit: number) =>
    (await queue.readPage(state, { offset, limit })).rows.map((row) => row.id);

  const orders: [state: JobState, order: string, ids: string[]][] = [
    ['wait', 'the one served next first', ['1', '2', '3', '4', '5']],
    ['paused', 'the one served next first', ['1', '2', '3', '4', '5']],
    ['delayed', 'the one due first first', ['1', '2', '3', '4', '5']],
    ['prioritized', 'the lowest score first', ['1', '2', '3', '4', '5']],
    ['active', 'the one fetched last first', ['5', '4', '3', '2', '1']],
    ['completed', 'the newest first', ['5', '4', '3', '2', '1']],
    ['failed', 'the newest first', ['5', '4', '3', '2', '1']],
    ['waiting-children', 'the newest first', ['5', '4', '3', '2', '1']],
  ];
  for (const [state, order, ids] of orders) {
    it(`of ${state} has ${order}, and its windows join without gap or overlap`, async () => {
      await seedJobs(stage.admin, mail, state, numberedJobs(5));
      const page = await queue.readPage(state, { offset: 0, limit: 200 });
      assert.deepEqual(
        page.rows.map((row) => row.id),
        ids,
      );
      assert.equal(page.total, 5);
      assert.deepEqual(await idsOf(state, 0, 2), ids.slice(0, 2));
      assert.deepEqual(await idsOf(state, 2, 2), ids.slice(2, 4));
      assert.deepEqual(await idsOf(state, 4, 2), ids.slice(4));
      assert.deepEqual(await idsOf(state, 5, 2), []);
      assert.deepEqual(await idsOf(state, 1000, 2), []);
    });
  }

  it('of a state without jobs is empty', async () => {
    for (const state of STATE_NAMES) {
      assert.deepEqual(await queue.readPage(state, { offset: 0, limit: 100 }), {
        state,
        offset: 0,
        rows: [],
        total: 0,
      });
    }
  });

  it('has at most 200 rows and starts at a whole number', async () => {
    for (const limit of [0, 201, 1.5, Number.NaN]) {
      await assert.rejects(queue.readPage('wait', { offset: 0, limit }), RangeError);
    }
    for (const offset of [-1, 0.5, Number.POSITIVE_INFINITY]) {
      await assert.rejects(queue.readPage('wait', { offset, limit: 1 }), RangeError);
    }
  });

  it('tells due times, priorities and finish times by the scores', async () => {
    await seedJobs(stage.admin, mail, 'delayed', [{ id: 'd', score: `${BigInt(NOW_MS) * 4096n + 3n}` }]);
    await seedJobs(stage.admin, mail, 'prioritized', [{ id: 'p', score: 7 * 2 ** 32 + 5 }]);
    await seedJobs(stage.admin, mail, 'completed', [{ id: 'c', score: NOW_MS }]);
    const first = async (state: JobState) => (await queue.readPage(state, { offset: 0, limit: 1 })).rows[0];
    assert.equal((await first('delayed'))?.dueMs, NOW_MS);
    assert.equal((await first('prioritized'))?.priority, 7);
    assert.equal((await first('completed'))?.finishedMs, NOW_MS);
  });

  it('tells of active jobs how long their locks last', async () => {
    await seedJobs(stage.admin, mail, 'active', numberedJobs(3));
    await stage.admin.set(mail.lock('1'), 'token', 'PX', 60_000);
    await stage.admin.set(mail.lock('2'), 'token');
    const [third, second, first] = (await queue.readPage('active', { offset: 0, limit: 10 })).rows;
    assert.ok((first?.lockTtlMs ?? 0) > 50_000);
    assert.equal(second?.lockTtlMs, -1);
    assert.equal(third?.lockTtlMs, null);
  });

  it('shows ids without a hash, hashes of garbage and keys that are no hash as what they are', async () => {
    await seedJobs(stage.admin, mail, 'wait', [
      { id: 'fine' },
      { id: 'garbage', fields: { timestamp: 'x', atm: '{}', priority: '-', name: '\u0000\u001b[31m' } },
      { id: 'ghost' },
      { id: 'text' },
    ]);
    await stage.admin.del(mail.job('ghost'), mail.job('text'));
    await stage.admin.set(mail.job('text'), 'no hash');
    const [fine, garbage, ghost, text] = (await queue.readPage('wait', { offset: 0, limit: 10 })).rows;
    assert.equal(fine?.createdMs, NOW_MS);
    assert.equal(garbage?.createdMs, undefined);
    assert.equal(garbage?.attemptsMade, undefined);
    assert.equal(ghost?.exists, false);
    assert.ok(ConnectionError.is(text?.problem));
    assert.equal(text.problem.code, 'wrongType');
    assert.match(text.problem.message, /"emq:mail:text" does not hold a hash/);
  });

  it('of a key of the wrong type is an error that names the key', async () => {
    await stage.admin.set(mail.failed(), 'no set');
    await assert.rejects(
      queue.readPage('failed', { offset: 0, limit: 10 }),
      /"emq:mail:failed" does not hold a sorted set/,
    );
  });

  it('of failed jobs says why they failed, and of a long reason only how long it is', async () => {
    await seedJobs(stage.admin, mail, 'failed', [
      { id: 'none' },
      { id: 'long', fields: { ...basicFields(), failedReason: 'é'.repeat(600) } },
      { id: 'short', fields: { ...basicFields(), failedReason: 'no route to host' } },
    ]);
    const { rows } = await queue.readPage('failed', { offset: 0, limit: 100 });
    assert.deepEqual(
      rows.map((row) => row.failedReason),
      [{ text: 'no route to host' }, { bytes: 1200 }, undefined],
    );
  });

  describe('from a large queue', () => {
    let proxy: CountingProxy;
    let counted: Queue;
    beforeEach(async () => {
      proxy = await startCountingProxy(stage.server.port);
      const executor = stage.connect({ port: proxy.port });
      await executor.read([['PING']]);
      counted = new Queue(executor, mail);
    });
    afterEach(async () => {
      await stage.closeExecutors();
      await proxy.close();
    });

    const payload = JSON.stringify({ text: 'x'.repeat(500) });
    const shapes: [state: JobState, fields: Record<string, string | number>, roundTrips: number][] = [
      ['wait', {}, 2],
      ['completed', { processedOn: NOW_MS, finishedOn: NOW_MS, atm: 1, ats: 1, returnvalue: payload }, 2],
      ['active', { processedOn: NOW_MS, ats: 1 }, 2],
      [
        'failed',
        {
          processedOn: NOW_MS,
          finishedOn: NOW_MS,
          atm: 3,
          ats: 3,
          failedReason: 'x'.repeat(300),
          stacktrace: payload,
        },
        3,
      ],
    ];
    for (const [state, fields, roundTrips] of shapes) {
      it(`of ${state} takes ${roundTrips} round trips and at most 20 kB for 100 of 100,000 jobs`, async () => {
        await seedJobs(
          stage.admin,
          mail,
          state,
          numberedJobs(100_000, { ...basicFields(), data: payload, ...fields }),
        );
        proxy.reset();
        const page = await counted.readPage(state, { offset: 0, limit: 100 });
        assert.equal(page.rows.length, 100);
        assert.equal(page.total, 100_000);
        assert.equal(proxy.roundTrips, roundTrips);
        assert.ok(proxy.bytesToClient <= 20_000, `${proxy.bytesToClient} bytes`);
        assert.ok(page.rows.every((row) => row.exists && row.name === 'send'));
      }).timeout(60_000);
    }

    it('of failed stays under 20 kB also where a few reasons are short and most are long', async () => {
      const reasons = [10, 90, 400, 1000, 1024, 1025, 5_000_000];
      const jobs = Array.from({ length: 300 }, (_, i) => ({
        id: `job-${i}`,
        fields: { ...basicFields(), failedReason: 'r'.repeat(reasons[i % (i < 7 ? 7 : 6)] ?? 1) },
      }));
      await seedJobs(stage.admin, mail, 'failed', jobs.toReversed());
      proxy.reset();
      const page = await counted.readPage('failed', { offset: 0, limit: 100 });
      assert.ok(proxy.bytesToClient <= 20_000, `${proxy.bytesToClient} bytes`);
      const shown = page.rows.filter((row) => row.failedReason && 'text' in row.failedReason);
      assert.ok(shown.length >= 30, `${shown.length} reasons`);
      assert.deepEqual(page.rows[0]?.failedReason, { text: 'r'.repeat(10) });
      assert.deepEqual(page.rows[6]?.failedReason, { bytes: 5_000_000 });
    });
  });
});
