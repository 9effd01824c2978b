import assert from 'node:assert/strict';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import * as vscode from 'vscode';
import { connectToRedis, redisPort, requireExtension, until } from './support/host';

const QUEUE = 'orders';

describe('a job’s document in the extension host', () => {
  let redis: Redis;
  let queue: Queue;

  before(async () => {
    redis = connectToRedis();
    queue = new Queue(QUEUE, { connection: { host: '127.0.0.1', port: redisPort() }, prefix: 'emq' });
    await queue.add('fulfil', { order: 7 }, { jobId: 'order-7' });
    await requireExtension().activate();
  });
  after(async () => {
    await queue.obliterate({ force: true });
    await queue.close();
    redis.disconnect();
  });

  const open = async () => {
    const row = { id: 'order-7', name: 'fulfil', state: 'wait', exists: true, hasParent: false };
    const [connection] =
      vscode.workspace.getConfiguration('echomq').get<{ name: string }[]>('connections') ?? [];
    assert.ok(connection);
    const { createHash } = await import('node:crypto');
    const connectionId = `by-name-${createHash('sha1').update(connection.name).digest('hex').slice(0, 12)}`;
    const node = { kind: 'job', connectionId, address: { prefix: 'emq', queue: QUEUE }, row };
    await vscode.commands.executeCommand('echomq.job.open', node);
    return until('the document is open', () =>
      vscode.workspace.textDocuments.find(
        ({ uri }) => uri.scheme === 'echomq-job' && uri.path.includes('order-7'),
      ),
    );
  };

  it('has the job’s data and state, under an address that can be opened again', async () => {
    const document = await open();
    assert.match(document.getText(), /state: +wait/);
    assert.match(document.getText(), /"order": 7/);
    const again = await vscode.workspace.openTextDocument(document.uri);
    assert.equal(again.getText(), document.getText());
  });

  it('only reads: no key is written, none is created', async () => {
    const before = await redis.info('commandstats');
    const keys = (await redis.keys('*')).sort();
    const writes = (text: string) =>
      text.match(/cmdstat_(set|hset|hmset|xadd|lpush|rpush|zadd|del|eval|evalsha):calls=\d+/g);
    await open();
    assert.deepEqual(writes(await redis.info('commandstats')), writes(before));
    assert.deepEqual((await redis.keys('*')).sort(), keys);
  });

  it('says that a job is gone', async () => {
    const { uri } = await open();
    await queue.remove('order-7');
    const gone = uri.with({ query: uri.query.replace('order-7', 'order-8') });
    const document = await vscode.workspace.openTextDocument(gone);
    assert.match(document.getText(), /order-8.*gone/);
  });
});
