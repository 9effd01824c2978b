import assert from 'node:assert/strict';
import { Keys } from '../../src/keys/keys';
import { Queue } from '../../src/queue/queue';
import { openStage, type Stage } from './support/stage';

const mail = new Keys('emq', 'mail');

describe('pausing a queue and letting it go on', () => {
  let stage: Stage;
  let queue: Queue;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());
  beforeEach(async () => {
    await stage.admin.flushall();
    stage.log.length = 0;
    queue = new Queue(stage.connect(), mail);
  });
  afterEach(() => stage.closeExecutors());

  /** Fills both lists with numbers, so that read from head to tail they count up through `wait`, then `paused`. */
  async function fill(waiting: number, paused: number): Promise<string[]> {
    const ids = Array.from({ length: waiting + paused }, (_, i) => `${i}`);
    const push = async (key: string, from: number, to: number) => {
      for (let at = from; at < to; at += 10_000) {
        await stage.admin.rpush(key, ...ids.slice(at, Math.min(at + 10_000, to)));
      }
    };
    await push(mail.wait(), 0, waiting);
    await push(mail.paused(), waiting, waiting + paused);
    return ids;
  }

  for (const [waiting, paused, calls] of [
    [0, 0, 1],
    [3, 0, 1],
    [0, 3, 1],
    [2, 2, 1],
    [7000, 7000, 1],
    [15_001, 20_000, 1],
    [20_000, 15_001, 1],
    [70_000, 70_001, 1],
    [75_000, 80_000, 2],
    [80_000, 75_000, 2],
  ] as const) {
    it(`keeps ${waiting} jobs of wait and ${paused} of paused in their order, in ${calls} bounded calls`, async () => {
      const ids = await fill(waiting, paused);
      await queue.pause();
      assert.deepEqual(await stage.admin.lrange(mail.paused(), 0, -1), ids);
      assert.equal(await stage.admin.exists(mail.wait()), 0);
      assert.equal((await queue.readSummary()).isPaused, true);
      assert.equal(stage.log.length, calls);

      await stage.admin.flushall();
      stage.log.length = 0;
      await fill(waiting, paused);
      await stage.admin.hset(mail.meta(), 'paused', 1);
      await queue.resume();
      assert.deepEqual(await stage.admin.lrange(mail.wait(), 0, -1), ids);
      assert.equal(await stage.admin.exists(mail.paused()), 0);
      assert.equal((await queue.readSummary()).isPaused, false);
      assert.equal(stage.log.length, calls);
      assert.equal(await stage.admin.xlen(mail.events()), 1);
    });
  }

  it('changes nothing when a key is of the wrong type', async () => {
    await fill(2, 0);
    await stage.admin.set(mail.prioritized(), 'text');
    await assert.rejects(queue.pause(), /^ScriptFailure: pause-7 failed at pause-7\.lua:\d+: WRONGTYPE/);
    assert.equal(await stage.admin.llen(mail.wait()), 2);
    assert.equal(await stage.admin.exists(mail.meta()), 0);
  });
});
