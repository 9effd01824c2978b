import assert from 'node:assert/strict';
import { ConnectionError } from '../../src/base/errors';
import { Keys } from '../../src/keys/keys';
import { STATE_NAMES, STATES } from '../../src/keys/states';
import { readQueueSummaries } from '../../src/queue/counts';
import { Queue } from '../../src/queue/queue';
import { startCountingProxy } from '../support/countingProxy';
import { numberedJobs, seedJobs } from './support/seed';
import { openStage, type Stage } from './support/stage';

const mail = new Keys('emq', 'mail');

describe('the counts of queues', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());
  beforeEach(() => stage.admin.flushall());
  afterEach(() => stage.closeExecutors());

  it('are those of the eight keys, and nought for a queue that has none', async () => {
    for (const [i, state] of STATE_NAMES.entries()) {
      await seedJobs(stage.admin, mail, state, numberedJobs(i + 1));
    }
    const [full, empty] = await readQueueSummaries(stage.connect(), [mail, { prefix: 'emq', queue: 'none' }]);
    assert.deepEqual(
      STATE_NAMES.map((state) => full?.counts[state]),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
    assert.ok(STATE_NAMES.every((state) => empty?.counts[state] === 0));
    assert.equal(full?.address, mail);
  });

  it('come with whether the queue is paused, which the presence of a field tells', async () => {
    const queue = new Queue(stage.connect(), mail);
    assert.equal((await queue.readSummary()).isPaused, false);
    await stage.admin.hset(mail.meta(), 'paused', '0');
    assert.equal((await queue.readSummary()).isPaused, true);
  });

  it('of 201 queues take one round trip, nine commands a queue and no more than 20 kB', async () => {
    const queues = Array.from({ length: 201 }, (_, i) => new Keys('emq', `queue-${i}`));
    const pipeline = stage.admin.pipeline();
    for (const keys of queues) {
      for (const { type, state } of STATES) {
        if (type === 'list') pipeline.lpush(keys.state(state), '1');
        else pipeline.zadd(keys.state(state), 1, '1');
      }
      pipeline.hset(keys.meta(), 'opts.maxLenEvents', '10000');
    }
    await pipeline.exec();
    const many = queues[7] ?? mail;
    await seedJobs(stage.admin, many, 'wait', numberedJobs(20_000));

    const proxy = await startCountingProxy(stage.server.port);
    const executor = stage.connect({ port: proxy.port });
    await executor.read([['PING']]);
    proxy.reset();
    const summaries = await readQueueSummaries(executor, queues);
    assert.equal(proxy.roundTrips, 1);
    assert.ok(proxy.commands.length <= 11 * 201, `${proxy.commands.length} commands`);
    assert.deepEqual(new Set(proxy.commands), new Set(['LLEN', 'ZCARD', 'HEXISTS']));
    assert.ok(proxy.bytesToClient <= 20_000, `${proxy.bytesToClient} bytes`);
    assert.equal(summaries[7]?.counts.wait, 20_001);
    await executor.close();
    await proxy.close();
  });

  it('that cannot be told are errors, each alone', async () => {
    await stage.admin.set(mail.wait(), 'no list');
    await stage.admin.set(mail.meta(), 'no hash');
    await seedJobs(stage.admin, mail, 'failed', numberedJobs(2));
    const summary = await new Queue(stage.connect(), mail).readSummary();
    assert.ok(ConnectionError.is(summary.counts.wait));
    assert.equal(summary.counts.wait.code, 'wrongType');
    assert.match(summary.counts.wait.message, /"emq:mail:wait" does not hold a list/);
    assert.equal(summary.counts.failed, 2);
    assert.equal(summary.isPaused, undefined);
  });

  it('are right for a user who may only read, and the moves name the rule that is missing', async () => {
    await stage.admin.call('ACL', 'SETUSER', 'reader', 'on', '>p', '~*', '+@read', '+@connection');
    await seedJobs(stage.admin, mail, 'delayed', numberedJobs(3));
    const queue = new Queue(stage.connect({ username: 'reader', password: 'p' }), mail);
    assert.equal((await queue.readSummary()).counts.delayed, 3);
    assert.equal((await queue.readPage('delayed', { offset: 0, limit: 10 })).rows.length, 3);
    assert.equal((await queue.readJob('1'))?.state, 'delayed');
    const denied = /"reader".*may not run EVALSHA: the ACL rule \+evalsha is missing/;
    await assert.rejects(queue.promoteJob('1'), denied);
    await assert.rejects(queue.retryJob('1', 'failed'), denied);
    await assert.rejects(queue.addJob({ name: 'n', data: '{}' }), denied);
    await assert.rejects(queue.recoverStalled(['1'], 1), /rule \+multi is missing/);
  });

  it('are never mixed between prefixes with the same queue name, also with colons, hash tags and globs', async () => {
    const prefixes = ['emq', 'emq:eu', '{tag}', '[a]*?', 'a:b:{c}'];
    for (const [i, prefix] of prefixes.entries()) {
      await seedJobs(stage.admin, new Keys(prefix, 'mail'), 'wait', numberedJobs(i + 1));
    }
    const summaries = await readQueueSummaries(
      stage.connect(),
      prefixes.map((prefix) => ({ prefix, queue: 'mail' })),
    );
    assert.deepEqual(
      summaries.map(({ counts }) => counts.wait),
      [1, 2, 3, 4, 5],
    );
  });
});
