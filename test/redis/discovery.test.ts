import assert from 'node:assert/strict';
import { ConnectionError } from '../../src/base/errors';
import { Keys, type QueueAddress } from '../../src/keys/keys';
import { discoverQueues } from '../../src/queue/discovery';
import type { DiscoveryProgress } from '../../src/queue/types';
import { type CountingProxy, startCountingProxy } from '../support/countingProxy';
import { openStage, rejection, type Stage } from './support/stage';

describe('the discovery of queues', () => {
  let stage: Stage;
  let proxy: CountingProxy;
  before(async () => {
    stage = await openStage();
    proxy = await startCountingProxy(stage.server.port);
  });
  after(async () => {
    await stage.closeExecutors();
    await proxy.close();
    await stage.close();
  });
  beforeEach(() => stage.admin.flushall());
  afterEach(() => stage.closeExecutors());

  const connect = async () => {
    const executor = stage.connect({ port: proxy.port });
    await executor.read([['PING']]);
    proxy.reset();
    return executor;
  };
  const announce = (prefix: string, queue: string) =>
    stage.admin.hset(new Keys(prefix, queue).meta(), 'opts.maxLenEvents', '10000');
  const fill = async (count: number) => {
    for (let from = 0; from < count; from += 10_000) {
      const pipeline = stage.admin.pipeline();
      for (let i = from; i < Math.min(from + 10_000, count); i += 1) pipeline.set(`other:${i}`, '1');
      await pipeline.exec();
    }
  };
  const sorted = (queues: readonly QueueAddress[]) => queues.map((q) => `${q.prefix} ${q.queue}`).sort();

  it('finds the meta hashes of a prefix and nothing else', async () => {
    await announce('emq', 'mail');
    await announce('emq', 'orders');
    await announce('bull', 'foreign');
    await stage.admin.set('emq:text:meta', 'no hash');
    await stage.admin.hset('emq::meta', 'a', '1');
    await stage.admin.hset('emq:a:b:meta', 'a', '1');
    const result = await discoverQueues(await connect(), ['emq']);
    assert.deepEqual(sorted(result.queues), ['emq mail', 'emq orders']);
    assert.equal(result.end, 'complete');
    assert.ok(!proxy.commands.includes('KEYS'));
  });

  it('walks the database once for several prefixes, in bounded steps, with progress', async () => {
    await fill(60_000);
    await announce('emq', 'mail');
    await announce('bull', 'mail');
    const progress: DiscoveryProgress[] = [];
    const executor = await connect();
    const result = await discoverQueues(executor, ['emq', 'bull'], { onProgress: (p) => progress.push(p) });
    assert.deepEqual(sorted(result.queues), ['bull mail', 'emq mail']);
    assert.equal(result.end, 'complete');
    assert.equal(result.scanned, 60_002);
    assert.deepEqual(new Set(proxy.commands), new Set(['DBSIZE', 'SCAN', 'TYPE']));
    const scans = proxy.commands.filter((command) => command === 'SCAN').length;
    // About 5,000 keys a step: neither one that stops the server, nor hundreds.
    assert.ok(scans >= 8 && scans <= 20, `${scans} steps`);
    assert.equal(progress.length, scans);
    assert.ok(progress.every(({ scanned, total }) => total === 60_002 && scanned <= 60_002));
    assert.ok(progress.every(({ scanned }, i) => scanned >= (progress[i - 1]?.scanned ?? 0)));
    assert.deepEqual(progress.at(-1)?.found, result.queues);
    assert.ok(proxy.bytesToClient < 3000, `${proxy.bytesToClient} bytes`);
  });

  it('tells the same name under several prefixes apart, also with colons, hash tags and globs', async () => {
    const prefixes = ['emq', 'emq:eu', '{tag}', '[a]*?', 'a:b:{c}', '^x\\'];
    for (const prefix of prefixes) await announce(prefix, 'mail');
    // What the glob characters would match if they were not taken literally.
    await announce('aXX', 'mail');
    await announce('a', 'mail');
    const executor = await connect();
    const all = await discoverQueues(executor, prefixes);
    assert.deepEqual(sorted(all.queues), prefixes.map((prefix) => `${prefix} mail`).sort());
    for (const prefix of prefixes) {
      const one = await discoverQueues(executor, [prefix, prefix]);
      assert.deepEqual(one.queues, [{ prefix, queue: 'mail' }], prefix);
    }
  });

  it('stops between two steps when it is cancelled, and keeps what it found', async () => {
    await fill(30_000);
    await announce('emq', 'mail');
    const cancellation = { isCancellationRequested: false };
    const executor = await connect();
    const result = await discoverQueues(executor, ['emq'], {
      cancellation,
      onProgress: () => {
        cancellation.isCancellationRequested = true;
      },
    });
    assert.equal(result.end, 'cancelled');
    assert.equal(proxy.commands.filter((command) => command === 'SCAN').length, 1);
    const before = proxy.commands.length;
    assert.equal((await discoverQueues(executor, ['emq'], { cancellation })).end, 'cancelled');
    assert.equal(proxy.commands.length, before);
  });

  it('ends at its limit and says so', async () => {
    await fill(30_000);
    const result = await discoverQueues(await connect(), ['emq'], { maxKeys: 10_000 });
    assert.equal(result.end, 'limit');
    assert.equal(result.scanned, 10_000);
    assert.equal(proxy.commands.filter((command) => command === 'SCAN').length, 2);
  });

  it('finds nothing in an empty database, and asks nothing without a prefix', async () => {
    const executor = await connect();
    assert.deepEqual(await discoverQueues(executor, []), { queues: [], scanned: 0, end: 'complete' });
    assert.deepEqual(proxy.commands, []);
    assert.deepEqual(await discoverQueues(executor, ['emq']), { queues: [], scanned: 0, end: 'complete' });
  });

  it('works without the size of the database, and says which rule is missing where SCAN is denied', async () => {
    await announce('emq', 'mail');
    await stage.admin.call('ACL', 'SETUSER', 'nosize', 'on', '>p', '~*', '+@read', '-dbsize');
    const nosize = stage.connect({ username: 'nosize', password: 'p' });
    const seen: DiscoveryProgress[] = [];
    const result = await discoverQueues(nosize, ['emq'], { onProgress: (p) => seen.push(p) });
    assert.equal(result.queues.length, 1);
    assert.equal(seen[0]?.total, undefined);
    await stage.admin.call('ACL', 'SETUSER', 'noscan', 'on', '>p', '~*', '+@read', '-scan');
    const noscan = stage.connect({ username: 'noscan', password: 'p' });
    const error = await rejection(discoverQueues(noscan, ['emq']), ConnectionError.is);
    assert.match(error.message, /SCAN: the ACL rule \+scan is missing/);
  });
});
