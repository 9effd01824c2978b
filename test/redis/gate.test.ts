import assert from 'node:assert/strict';
import { ConnectionError } from '../../src/base/errors';
import { gateWrites, refuseWrites, type WriteOutcome } from '../../src/executor/gate';
import type { Executor, ScriptCall } from '../../src/executor/types';
import { Keys } from '../../src/keys/keys';
import { Queue } from '../../src/queue/queue';
import { SCRIPTS } from '../../src/scripts/registry.generated';
import { type CountingProxy, startCountingProxy } from '../support/countingProxy';
import { openStage, rejection, type Stage } from './support/stage';

const keys = new Keys('emq', 'mail');

/** A call of every script there is. */
const CALLS = SCRIPTS.map(
  ({ name, keyCount }): ScriptCall => ({
    script: name,
    keys: Array.from({ length: keyCount }, (_, i) => `${keys.base}${i}`),
    args: [],
    queueKey: keys.queueKey,
  }),
);

describe('the gate before scripts', () => {
  let stage: Stage;
  let proxy: CountingProxy;
  before(async () => {
    stage = await openStage();
    proxy = await startCountingProxy(stage.server.port);
  });
  after(async () => {
    await stage.close();
    await proxy.close();
  });
  afterEach(() => stage.closeExecutors());
  const connect = () => stage.connect({ port: proxy.port });

  it('has scripts to refuse', () => assert.ok(CALLS.length >= 8));

  for (const call of CALLS) {
    it(`refuses ${call.script} before a byte is sent, alone and together with others`, async () => {
      const closed = refuseWrites(connect());
      proxy.reset();
      for (const run of [
        () => closed.run(call),
        () => closed.runTogether([call, call]),
        () => closed.runEach([call, call]),
      ]) {
        const error = await rejection(run(), ConnectionError.is);
        assert.equal(error.code, 'readOnly');
      }
      assert.deepEqual([proxy.bytesToServer, proxy.connections], [0, 0], 'it even connected');
      await closed.read([['PING']]);
      proxy.reset();
      await assert.rejects(closed.run(call), ConnectionError);
      await assert.rejects(closed.runTogether([call]), ConnectionError);
      await assert.rejects(closed.runEach([call]), ConnectionError);
      assert.equal(proxy.bytesToServer, 0);
    });
  }

  it('lets every read pass, and what the executor says about itself', async () => {
    const inner = connect();
    const executor = refuseWrites(inner);
    assert.equal(executor.address, inner.address);
    const [reply] = await executor.read([['PING']]);
    assert.deepEqual(reply, { value: 'PONG' });
    let lost = 0;
    executor.onLost(() => {
      lost += 1;
    });
    proxy.cut();
    await rejection(executor.read([['PING']]), ConnectionError.is).catch(() => {});
    assert.equal(lost, 1);
    await executor.close();
    assert.equal((await rejection(executor.read([['PING']]), ConnectionError.is)).code, 'closed');
  });

  it('waits with the script until it is let through', async () => {
    let open = () => {};
    const admitted = new Promise<void>((resolve) => {
      open = resolve;
    });
    const inner = connect();
    await inner.read([['PING']]);
    const queue = new Queue(gateWrites(inner, { admit: () => admitted }), keys);
    proxy.reset();
    const adding = queue.addJob({ name: 'hello', data: '{}' });
    await stage.admin.ping();
    assert.equal(proxy.bytesToServer, 0);
    open();
    await adding;
    assert.equal(await stage.admin.llen(keys.wait()), 1);
  });

  it('tells what became of the scripts that were let through, and of no other', async () => {
    const told: [string[], WriteOutcome][] = [];
    let isOpen = true;
    const gated: Executor = gateWrites(connect(), {
      admit: async () => {
        if (!isOpen) throw new ConnectionError('closed for the night', 'readOnly');
      },
      report: (calls, outcome) => told.push([calls.map(({ script }) => script), outcome]),
    });
    const { id } = await new Queue(gated, keys).addJob({ name: 'hello', data: '{}' });
    assert.deepEqual(told.splice(0), [[['addStandardJob-9'], { replies: [id] }]]);
    await assert.rejects(new Queue(gated, keys).promoteJob('nobody'));
    const [[scripts = [], outcome] = []] = told.splice(0);
    assert.deepEqual(scripts, ['promote-9']);
    assert.ok(outcome && 'replies' in outcome && Number(outcome.replies[0]) < 0);
    await new Queue(gated, keys).promoteJobs(['nobody', 'none']);
    assert.deepEqual(told.splice(0), [[['promote-9', 'promote-9'], { replies: [-3, -3] }]]);
    await stage.admin.set(keys.meta(), 'no hash');
    await assert.rejects(new Queue(gated, keys).addJob({ name: 'hello', data: '{}' }));
    assert.ok('error' in (told.splice(0)[0]?.[1] ?? {}));
    isOpen = false;
    await assert.rejects(new Queue(gated, keys).promoteJob('nobody'), /closed for the night/);
    assert.deepEqual(told, []);
  });
});
