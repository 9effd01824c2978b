import assert from 'node:assert/strict';
import { ConnectionError, InputError } from '../../src/base/errors';
import { Keys } from '../../src/keys/keys';
import { Queue } from '../../src/queue/queue';
import { startCountingProxy } from '../support/countingProxy';
import { basicFields, NOW_MS, numberedJobs, seedJobs } from './support/seed';
import { openStage, rejection, type Stage } from './support/stage';

const mail = new Keys('{emq}', 'mail');
const stalledTimes = (stc: number, opts = '{"attempts":0}') => ({ ...basicFields(), opts, stc });

describe('the recovery of stalled jobs', () => {
  let stage: Stage;
  let queue: Queue;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());
  beforeEach(async () => {
    await stage.admin.flushall();
    stage.log.length = 0;
    queue = new Queue(stage.connect(), mail, { clock: () => NOW_MS, createId: () => 'private' });
  });
  afterEach(() => stage.closeExecutors());

  const lock = (id: string) => stage.admin.set(mail.lock(id), 'token', 'PX', 60_000);
  const active = () => stage.admin.lrange(mail.active(), 0, -1);
  const waiting = () => stage.admin.lrange(mail.wait(), 0, -1);
  const privateKeys = () => stage.admin.exists(mail.recoverySet('private'), mail.recoveryThrottle('private'));

  it('lists the active jobs without a lock, with what would happen to each', async () => {
    await seedJobs(stage.admin, mail, 'active', [
      { id: 'fresh' },
      { id: 'live' },
      { id: 'often', fields: stalledTimes(3) },
      { id: 'iteration', fields: stalledTimes(9, '{"repeat":{"every":1000}}') },
      { id: 'null', fields: stalledTimes(1, '{"repeat":null}') },
    ]);
    await lock('live');
    const { candidates, searched, total } = await queue.findRecoveryCandidates();
    assert.deepEqual(
      candidates.map(({ id, stallCount, isExempt }) => [id, stallCount, isExempt]),
      [
        ['null', 1, true],
        ['iteration', 9, true],
        ['often', 3, false],
        ['fresh', 0, false],
      ],
    );
    assert.equal(candidates[0]?.row.name, 'send');
    assert.equal(searched, 5);
    assert.equal(total, 5);
  });

  it('looks at a stated number of active jobs, a page at a time, without writing', async () => {
    await seedJobs(stage.admin, mail, 'active', numberedJobs(450));
    const proxy = await startCountingProxy(stage.server.port);
    const counted = new Queue(stage.connect({ port: proxy.port }), mail);
    const all = await counted.findRecoveryCandidates();
    assert.equal(all.candidates.length, 450);
    const some = await counted.findRecoveryCandidates(250);
    assert.deepEqual([some.candidates.length, some.searched, some.total], [250, 250, 450]);
    assert.ok(proxy.commands.every((name) => !name.startsWith('EVAL')));
    await stage.closeExecutors();
    await proxy.close();
  });

  it('moves the chosen jobs and no others, to be served next', async () => {
    await seedJobs(stage.admin, mail, 'wait', [{ id: 'before' }]);
    await seedJobs(stage.admin, mail, 'active', [{ id: 'a' }, { id: 'b' }, { id: 'left' }]);
    const report = await queue.recoverStalled(['a', 'b', 'a'], 1);
    assert.deepEqual([...report.recovered].sort(), ['a', 'b']);
    assert.deepEqual(report.willFail, []);
    assert.deepEqual(report.skipped, []);
    assert.deepEqual(await active(), ['left']);
    assert.equal((await waiting())[0], 'before');
    assert.equal(await stage.admin.hget(mail.job('a'), 'stc'), '1');
  });

  it('leaves a job whose worker has a lock, also when it was taken after the list was shown', async () => {
    await seedJobs(stage.admin, mail, 'active', [{ id: 'lapsed' }, { id: 'live' }]);
    await lock('live');
    const report = await queue.recoverStalled(['lapsed', 'live'], 1);
    assert.deepEqual(report.recovered, ['lapsed']);
    assert.deepEqual(report.skipped, [{ id: 'live', reason: 'A worker holds its lock.' }]);
    assert.deepEqual(await active(), ['live']);
    assert.equal(await stage.admin.get(mail.lock('live')), 'token');
    assert.equal(await stage.admin.hexists(mail.job('live'), 'stc'), 0);
  });

  it('leaves a job that is not active any more, and a marker of an older release', async () => {
    await seedJobs(stage.admin, mail, 'completed', [{ id: 'done' }]);
    await stage.admin.lpush(mail.active(), '0:5');
    const report = await queue.recoverStalled(['done', '0:5'], 1);
    assert.deepEqual(report.recovered, []);
    assert.deepEqual(report.skipped, [
      { id: '0:5', reason: 'It is a marker of an older release, not a job.' },
      { id: 'done', reason: 'It is not active any more.' },
    ]);
    assert.deepEqual(await active(), ['0:5']);
  });

  it('says which the next worker will fail, and is right', async () => {
    await seedJobs(stage.admin, mail, 'active', [
      { id: 'first' },
      { id: 'second', fields: stalledTimes(1) },
      { id: 'iteration', fields: stalledTimes(5, '{"repeat":{"every":1000}}') },
      { id: 'null', fields: stalledTimes(5, '{"repeat":null}') },
      { id: 'garbage', fields: stalledTimes(5, '{') },
    ]);
    const ids = ['first', 'second', 'iteration', 'null', 'garbage'];
    const report = await queue.recoverStalled(ids, 1);
    assert.deepEqual([...report.recovered].sort(), [...ids].sort());
    assert.deepEqual([...report.willFail].sort(), ['garbage', 'second']);
    for (const id of ids) {
      const isDeferred = (await stage.admin.hexists(mail.job(id), 'defa')) === 1;
      assert.equal(isDeferred, report.willFail.includes(id), id);
    }
  });

  it('goes to paused while the queue is paused', async () => {
    await stage.admin.hset(mail.meta(), 'paused', '1');
    await seedJobs(stage.admin, mail, 'active', [{ id: 'a' }]);
    assert.deepEqual((await queue.recoverStalled(['a'], 1)).recovered, ['a']);
    assert.deepEqual(await stage.admin.lrange(mail.paused(), 0, -1), ['a']);
  });

  it('neither reads nor sets what the workers use for their own recovery', async () => {
    await seedJobs(stage.admin, mail, 'active', [{ id: 'a' }, { id: 'b' }]);
    await stage.admin.sadd(mail.stalled(), 'b');
    await stage.admin.set(mail.stalledCheck(), '123', 'PX', 60_000);
    const monitor = await stage.admin.monitor();
    monitor.on('error', () => {});
    const seen: string[][] = [];
    monitor.on('monitor', (_time, args: string[]) => seen.push(args));
    await queue.recoverStalled(['a'], 1);
    await stage.admin.ping('end');
    while (!seen.some((args) => args[1] === 'end')) await new Promise((r) => setImmediate(r));
    monitor.disconnect();
    const names = [mail.stalled(), mail.stalledCheck()];
    assert.ok(!seen.some((args) => args.some((arg) => names.includes(arg))));
    assert.ok(seen.some((args) => args[1] === mail.recoverySet('private')));
    assert.deepEqual(await stage.admin.smembers(mail.stalled()), ['b']);
    assert.equal(await stage.admin.get(mail.stalledCheck()), '123');
  });

  it('leaves no private key, not even when the script breaks', async () => {
    await seedJobs(stage.admin, mail, 'active', [{ id: 'a' }]);
    await queue.recoverStalled(['a'], 1);
    assert.equal(await privateKeys(), 0);
    await stage.admin.set(mail.events(), 'no stream');
    await assert.rejects(queue.recoverStalled(['a'], 1), /moveStalledJobsToWait-8 failed/);
    assert.equal(await privateKeys(), 0);
  });

  it('happens whole or not at all when the connection is lost on the way, and is not repeated', async () => {
    await seedJobs(stage.admin, mail, 'active', [{ id: 'a' }]);
    const proxy = await startCountingProxy(stage.server.port);
    const cut = new Queue(stage.connect({ port: proxy.port }), mail, { createId: () => 'private' });
    proxy.loseAnswerTo('EVAL');
    const error = await rejection(cut.recoverStalled(['a'], 1), ConnectionError.is);
    assert.equal(error.code, 'outcomeUnknown');
    assert.equal(await stage.admin.hget(mail.job('a'), 'stc'), '1');
    assert.deepEqual(await waiting(), ['a']);
    assert.equal(await privateKeys(), 0);
    await stage.closeExecutors();
    await proxy.close();
  });

  it('of nothing sends no script, and a stall limit that is none is refused', async () => {
    assert.deepEqual(await queue.recoverStalled([], 1), { recovered: [], willFail: [], skipped: [] });
    assert.deepEqual(stage.log, []);
    for (const limit of [-1, 1.5, Number.NaN]) {
      await assert.rejects(queue.recoverStalled(['a'], limit), (error: unknown) => InputError.is(error));
    }
  });

  it('takes thousands of jobs at once', async () => {
    const jobs = numberedJobs(9000);
    await seedJobs(stage.admin, mail, 'active', jobs);
    const report = await queue.recoverStalled(
      jobs.map((job) => job.id),
      1,
    );
    assert.equal(report.recovered.length, 9000);
    assert.equal(await privateKeys(), 0);
  });
});
