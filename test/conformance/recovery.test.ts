/**
 * Forced recovery: our two tools around the protocol's pass. What it leaves must be what a pass of the reference over
 * the same marks leaves, with the workers' own marks and throttle untouched.
 */
import assert from 'node:assert/strict';
import { encode } from '@msgpack/msgpack';
import { Redis } from 'ioredis';
import { Keys } from '../../src/keys/keys';
import { type RedisServer, startRedis } from '../support/redisServer';
import { runScript } from './support/directCalls';
import { PAST } from './support/operations';
import { Comparison } from './support/scenario';

const TTL_MS = 60000;

describe('a forced recovery leaves what a pass of the reference over the same marks leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  for (const maxStalls of [0, 1]) {
    it(`of two jobs of four, one of them locked, with a limit of ${maxStalls}`, () =>
      both.assertSame(async (side) => {
        for (let i = 0; i < 4; i++) await side.add({ timestamp: PAST });
        const [first, second] = [
          await side.fetch(),
          await side.fetch(),
          await side.fetch(),
          await side.fetch(),
        ];
        await side.loseLock(first);
        await side.redis.del(side.keys.lock('4'));
        await side.redis.sadd(side.keys.stalled(), '4', String(second.id));
        await side.forceRecovery(['1', '2'], maxStalls);
        assert.deepEqual(await side.redis.lrange(side.keys.wait(), 0, -1), ['1']);
      }));
  }
});

describe('the tools of a forced recovery', () => {
  let server: RedisServer;
  let redis: Redis;
  const set = new Keys('emq', 'q').recoverySet('r1');
  const throttle = new Keys('emq', 'q').recoveryThrottle('r1');
  before(async () => {
    server = await startRedis();
    redis = new Redis(server.port, server.host);
  });
  after(async () => {
    await redis.quit();
    await server.stop();
  });

  const fill = (ids: readonly string[]) =>
    runScript(redis, 'tools/fillRecoverySet-1', [set], [TTL_MS, encode(ids)]);

  it('fill a set with the ids given and nothing else, and give it an expiry', async () => {
    await redis.sadd(set, 'left over');
    assert.equal(await fill(['a', 'b', 'b']), 2);
    assert.deepEqual((await redis.smembers(set)).sort(), ['a', 'b']);
    const ttlMs = await redis.pttl(set);
    assert.ok(ttlMs > 0 && ttlMs <= TTL_MS);
  });

  it('fill a set with more ids than Lua can pass at once', async () => {
    assert.equal(await fill(Array.from({ length: 20001 }, (_, i) => `job${i}`)), 20001);
  });

  it('make no set of no ids', async () => {
    assert.equal(await fill([]), 0);
    assert.equal(await redis.exists(set), 0);
  });

  it('drop both keys, and mind neither being gone', async () => {
    await fill(['a']);
    await redis.set(throttle, '1');
    const drop = () => runScript(redis, 'tools/dropRecoveryKeys-2', [set, throttle], []);
    assert.equal(await drop(), 2);
    assert.equal(await drop(), 0);
    assert.deepEqual(await redis.keys('*'), []);
  });
});
