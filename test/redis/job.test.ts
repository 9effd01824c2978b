import assert from 'node:assert/strict';
import { ConnectionError } from '../../src/base/errors';
import { Keys } from '../../src/keys/keys';
import { STATE_NAMES } from '../../src/keys/states';
import { LIST_SEARCH_LIMIT } from '../../src/queue/job';
import { Queue } from '../../src/queue/queue';
import { startCountingProxy } from '../support/countingProxy';
import { basicFields, NOW_MS, seedJobs } from './support/seed';
import { openStage, type Stage } from './support/stage';

const mail = new Keys('emq', 'mail');

describe('one job', () => {
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

  it('is found in each of the eight states', async () => {
    for (const state of STATE_NAMES) {
      await seedJobs(stage.admin, mail, state, [{ id: `in-${state}` }, { id: `other-${state}` }]);
      const job = await queue.readJob(`in-${state}`);
      assert.equal(job?.state, state);
      assert.equal(job?.searchLimit, undefined);
      assert.deepEqual(job?.address, { prefix: 'emq', queue: 'mail' });
    }
  });

  it('is told with all that its document shows, and its data byte for byte', async () => {
    const data = '{"n":9007199254740993,"f":1.0,"b":1,"a":2,"t":"é\\u0000"}';
    await seedJobs(stage.admin, mail, 'failed', [
      {
        id: '7',
        score: NOW_MS + 9,
        fields: {
          ...basicFields(),
          data,
          atm: 2,
          ats: 3,
          stc: 1,
          processedOn: NOW_MS + 5,
          pb: 'worker-a',
          deid: 'once',
          rjk: 'nightly',
          parentKey: 'emq:flows:1',
          failedReason: 'boom',
          stacktrace: '["first","second"]',
          returnvalue: 'null',
          progress: '{"done":0.10}',
          mine: 'x',
        },
      },
    ]);
    await stage.admin.rpush(mail.logs('7'), 'a', 'b');
    await stage.admin.set(mail.lock('7'), 'token', 'PX', 60_000);
    const job = await queue.readJob('7', 'failed');
    assert.ok(job);
    const { lock, row, ...rest } = job;
    assert.equal(lock?.token, 'token');
    assert.ok((lock?.ttlMs ?? 0) > 50_000);
    assert.deepEqual(rest, {
      address: { prefix: 'emq', queue: 'mail' },
      id: '7',
      state: 'failed',
      data: { text: data },
      options: { text: '{"attempts":0}' },
      returnValue: { text: 'null' },
      progress: { text: '{"done":0.10}' },
      stacktraces: ['second', 'first'],
      logs: ['a', 'b'],
      logCount: 2,
      parentKey: 'emq:flows:1',
      processedBy: 'worker-a',
      deduplicationId: 'once',
      otherFields: ['mine'],
    });
    assert.deepEqual(row, {
      id: '7',
      exists: true,
      name: 'send',
      createdMs: NOW_MS,
      delayMs: 0,
      priority: 0,
      attemptsStarted: 3,
      attemptsMade: 2,
      stallCount: 1,
      processedMs: NOW_MS + 5,
      finishedMs: NOW_MS + 9,
      failedReason: { text: 'boom' },
      schedulerId: 'nightly',
      hasParent: true,
    });
  });

  it('that does not exist is undefined, and an id without a hash is told with its state', async () => {
    assert.equal(await queue.readJob('7'), undefined);
    await stage.admin.lpush(mail.wait(), '7');
    const ghost = await queue.readJob('7');
    assert.equal(ghost?.state, 'wait');
    assert.equal(ghost?.row.exists, false);
  });

  it('in no state is told without one', async () => {
    await stage.admin.hset(mail.job('7'), basicFields());
    const job = await queue.readJob('7');
    assert.equal(job?.state, undefined);
    assert.equal(job?.searchLimit, undefined);
    assert.equal(job?.row.exists, true);
  });

  it('is taken for where it was last seen, should it be in two states', async () => {
    await seedJobs(stage.admin, mail, 'completed', [{ id: '7' }]);
    await seedJobs(stage.admin, mail, 'wait', [{ id: '7' }]);
    assert.equal((await queue.readJob('7', 'wait'))?.state, 'wait');
    assert.equal((await queue.readJob('7', 'completed'))?.state, 'completed');
  });

  it('is searched in long lists from both ends and not beyond the budget, which is told', async () => {
    const count = 2 * LIST_SEARCH_LIMIT + 10;
    const pipeline = stage.admin.pipeline();
    for (let i = 1; i <= count; i += 1) pipeline.lpush(mail.wait(), `${i}`);
    for (const id of ['1', `${LIST_SEARCH_LIMIT}`, `${LIST_SEARCH_LIMIT + 5}`, `${count}`]) {
      pipeline.hset(mail.job(id), basicFields());
    }
    await pipeline.exec();
    for (const id of ['1', `${LIST_SEARCH_LIMIT}`, `${count}`]) {
      assert.equal((await queue.readJob(id))?.state, 'wait');
    }
    const middle = await queue.readJob(`${LIST_SEARCH_LIMIT + 5}`);
    assert.equal(middle?.state, undefined);
    assert.equal(middle?.searchLimit, LIST_SEARCH_LIMIT);
  });

  it('of megabytes opens with the sizes of what is long, and whole when that is asked for', async () => {
    const data = JSON.stringify('x'.repeat(10_000_000));
    await seedJobs(stage.admin, mail, 'wait', [
      { id: '7', fields: { ...basicFields(), data, stacktrace: JSON.stringify(['y'.repeat(300_000)]) } },
    ]);
    const proxy = await startCountingProxy(stage.server.port);
    const counted = new Queue(stage.connect({ port: proxy.port }), mail);
    const job = await counted.readJob('7');
    assert.deepEqual(job?.data, { bytes: data.length });
    assert.deepEqual(job?.stacktraces, { bytes: 300_004 });
    assert.ok(proxy.bytesToClient < 2000, `${proxy.bytesToClient} bytes`);
    const whole = await counted.readJob('7', 'wait', { maxFieldBytes: Number.POSITIVE_INFINITY });
    assert.deepEqual(whole?.data, { text: data });
    await stage.closeExecutors();
    await proxy.close();
  });

  it('is read in two round trips of plain reads', async () => {
    await seedJobs(stage.admin, mail, 'wait', [{ id: '7' }]);
    const proxy = await startCountingProxy(stage.server.port);
    const executor = stage.connect({ port: proxy.port });
    await executor.read([['PING']]);
    proxy.reset();
    await new Queue(executor, mail).readJob('7');
    assert.equal(proxy.roundTrips, 2);
    assert.ok(!proxy.commands.some((command) => command.startsWith('EVAL') || command === 'HGETALL'));
    await stage.closeExecutors();
    await proxy.close();
  });

  it('comes with the last hundred rows of its log, or fewer when they are long', async () => {
    await seedJobs(stage.admin, mail, 'wait', [{ id: 'many' }, { id: 'long' }]);
    await stage.admin.rpush(mail.logs('many'), ...Array.from({ length: 250 }, (_, i) => `row ${i}`));
    await stage.admin.rpush(mail.logs('long'), ...Array.from({ length: 20 }, () => 'z'.repeat(100_000)));
    const many = await queue.readJob('many');
    assert.equal(many?.logCount, 250);
    assert.equal(many?.logs.length, 100);
    assert.equal(many?.logs.at(-1), 'row 249');
    const long = await queue.readJob('long');
    assert.equal(long?.logCount, 20);
    assert.ok((long?.logs.length ?? 0) >= 1 && (long?.logs.length ?? 0) <= 3);
  });

  it('whose key is no hash is told with the reason', async () => {
    await stage.admin.lpush(mail.wait(), '7');
    await stage.admin.set(mail.job('7'), 'text');
    const job = await queue.readJob('7');
    assert.ok(ConnectionError.is(job?.row.problem));
    assert.equal(job.state, 'wait');
    assert.equal(job.data, undefined);
  });

  it('of garbage is told as far as it can be read', async () => {
    const fields = { data: '{', opts: '', stacktrace: 'Error: x', timestamp: '1e3', stc: 'many', name: '' };
    await seedJobs(stage.admin, mail, 'wait', [{ id: '7', fields }]);
    await stage.admin.set(mail.logs('7'), 'no list');
    await stage.admin.hset(mail.lock('7'), 'no', 'text');
    const job = await queue.readJob('7');
    assert.deepEqual(job?.data, { text: '{' });
    assert.deepEqual(job?.stacktraces, ['Error: x']);
    assert.deepEqual(job?.logs, []);
    assert.equal(job?.lock, undefined);
    assert.equal(job?.row.createdMs, undefined);
  });

  it('with a strange id is read like any other', async () => {
    for (const id of ['a/b?c#d%20', 'repeat:nightly:1796000000000', '../x', 'é\u0000']) {
      await seedJobs(stage.admin, mail, 'delayed', [{ id }]);
      assert.equal((await queue.readJob(id))?.state, 'delayed');
    }
  });
});

describe('the beginning of the data of a job', () => {
  let stage: Stage;
  let queue: Queue;
  before(async () => {
    stage = await openStage();
    queue = new Queue(stage.connect(), mail);
  });
  after(() => stage.close());

  const previewOf = async (data: string) => {
    await seedJobs(stage.admin, mail, 'wait', [{ id: '7', fields: { ...basicFields(), data } }]);
    return queue.readData('7');
  };

  it('is all of it when it is short', async () => {
    assert.deepEqual(await previewOf('{"a":"é"}'), { bytes: 10, text: '{"a":"é"}' });
  });

  it('is whole up to 64 kB, so that it can be indented', async () => {
    const text = JSON.stringify({ text: '😀'.repeat(10_000) });
    assert.deepEqual(await previewOf(text), { bytes: Buffer.byteLength(text), text });
  });

  it('is only its size when it is long', async () => {
    assert.deepEqual(await previewOf('x'.repeat(70_000)), { bytes: 70_000 });
  });

  it('is nothing for a job without data, and an error for a key that is no hash', async () => {
    assert.equal(await queue.readData('none'), undefined);
    await stage.admin.set(mail.job('text'), 'x');
    await assert.rejects(queue.readData('text'), /does not hold a hash/);
  });
});
