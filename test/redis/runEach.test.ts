import assert from 'node:assert/strict';
import { ConnectionError } from '../../src/base/errors';
import type { RunOutcome, ScriptCall } from '../../src/executor/types';
import { Keys } from '../../src/keys/keys';
import { startCountingProxy } from '../support/countingProxy';
import { numberedJobs, seedJobs } from './support/seed';
import { openStage, readCommandCalls, rejection, type Stage } from './support/stage';

const mail = new Keys('emq', 'mail');
const k = mail;

/** Promotes one delayed job. */
const promote = (id: string): ScriptCall => ({
  script: 'promote-9',
  keys: [
    ...[k.delayed(), k.wait(), k.paused(), k.meta(), k.prioritized()],
    ...[k.active(), k.priorityCounter(), k.events(), k.marker()],
  ],
  args: [k.base, id],
  queueKey: k.queueKey,
});
const values = (outcomes: readonly RunOutcome[]) =>
  outcomes.map((outcome) => ('value' in outcome ? outcome.value : outcome.error.name));

describe('many calls of one script', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());
  beforeEach(async () => {
    await stage.admin.flushall();
    await stage.admin.script('FLUSH');
    stage.log.length = 0;
    await seedJobs(stage.admin, mail, 'delayed', numberedJobs(20));
  });
  afterEach(() => stage.closeExecutors());

  it('run in their order, and each has an outcome of its own', async () => {
    await stage.admin.set(mail.job('3'), 'text');
    const outcomes = await stage.connect().runEach(['1', 'gone', '3', '2'].map(promote));
    assert.deepEqual(values(outcomes), [0, -3, 'ScriptFailure', 0]);
    assert.deepEqual(await stage.admin.lrange(mail.wait(), 0, -1), ['2', '1']);
    const [record] = stage.log;
    assert.deepEqual(
      [record?.script, record?.queueKey, record?.outcome],
      ['promote-9', mail.queueKey, '4 runs, 2 ok'],
    );
    assert.equal(stage.log.length, 1);
  });

  it('take one round trip, and the text of the script is sent once', async () => {
    const proxy = await startCountingProxy(stage.server.port);
    try {
      const executor = stage.connect({ port: proxy.port });
      await executor.read([['PING']]);
      await stage.admin.config('RESETSTAT');
      proxy.reset();
      await executor.runEach(['1', '2', '3'].map(promote));
      assert.equal(proxy.roundTrips, 2);
      assert.equal((await readCommandCalls(stage.admin)).get('eval'), 1);
      proxy.reset();
      await executor.runEach(['4', '5', '6'].map(promote));
      assert.equal(proxy.roundTrips, 1);
      assert.equal(await stage.admin.llen(mail.wait()), 6);
    } finally {
      await stage.closeExecutors();
      await proxy.close();
    }
  });

  it('of which there are none send nothing', async () => {
    assert.deepEqual(await stage.connect().runEach([]), []);
    assert.deepEqual(stage.log, []);
  });

  it('are refused before anything is sent when they are not of one script, or lack a key', async () => {
    const executor = stage.connect();
    const other = { ...promote('2'), script: 'removeJob-2' };
    await assert.rejects(executor.runEach([promote('1'), other]), /of the same script/);
    const short = { ...promote('2'), keys: [] };
    await assert.rejects(executor.runEach([promote('1'), short]), /takes 9 keys and was given 0/);
    assert.equal(await stage.admin.exists(mail.wait()), 0);
  });

  it('are each refused where the user may not run scripts', async () => {
    await stage.admin.call('ACL', 'SETUSER', 'reader', 'on', '>p', '~*', '+@read', '+@connection');
    const executor = stage.connect({ username: 'reader', password: 'p' });
    const outcomes = await executor.runEach(['1', '2'].map(promote));
    for (const outcome of outcomes) {
      assert.ok('error' in outcome && ConnectionError.is(outcome.error));
      assert.equal(outcome.error.code, 'noPermission');
    }
  });

  it('may or may not have run when the connection is lost, and are not repeated', async () => {
    const proxy = await startCountingProxy(stage.server.port);
    try {
      const executor = stage.connect({ port: proxy.port, commandTimeoutMs: 80 });
      await executor.runEach([promote('1')]);
      proxy.mute(true);
      const error = await rejection(executor.runEach(['2', '3'].map(promote)), ConnectionError.is);
      assert.equal(error.code, 'outcomeUnknown');
      assert.match(error.message, /promote-9 may or may not have run/);
    } finally {
      await stage.closeExecutors();
      await proxy.close();
    }
  });
});
