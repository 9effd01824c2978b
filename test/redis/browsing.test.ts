import assert from 'node:assert/strict';
import { Keys } from '../../src/keys/keys';
import { STATE_NAMES } from '../../src/keys/states';
import { readQueueSummaries } from '../../src/queue/counts';
import { discoverQueues } from '../../src/queue/discovery';
import { Queue } from '../../src/queue/queue';
import { dumpKeyspace } from '../support/dump';
import { basicFields, numberedJobs, seedJobs } from './support/seed';
import { openStage, readCommandCalls, type Stage } from './support/stage';

const mail = new Keys('emq', 'mail');

describe('browsing', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());
  beforeEach(() => stage.admin.flushall());
  afterEach(() => stage.closeExecutors());

  const browse = async (executor = stage.connect()) => {
    const { queues } = await discoverQueues(executor, ['emq', 'bull']);
    await readQueueSummaries(executor, queues);
    const queue = new Queue(executor, mail);
    for (const state of STATE_NAMES) {
      const { rows } = await queue.readPage(state, { offset: 0, limit: 100 });
      for (const { id } of rows.slice(0, 2)) {
        await queue.readJob(id, state);
        await queue.readData(id);
      }
    }
    await queue.findRecoveryCandidates();
  };

  it('sends no write and no script, creates no key and changes none', async () => {
    for (const state of STATE_NAMES) await seedJobs(stage.admin, mail, state, numberedJobs(150));
    await stage.admin.hset(mail.meta(), { 'opts.maxLenEvents': '10000', mine: 'x' });
    await seedJobs(stage.admin, mail, 'failed', [
      { id: 'f', fields: { ...basicFields(), failedReason: 'boom' } },
    ]);
    const before = await dumpKeyspace(stage.admin, '');

    await stage.admin.config('RESETSTAT');
    await browse();
    const calls = await readCommandCalls(stage.admin);
    const info = String(await stage.admin.call('COMMAND', 'LIST', 'FILTERBY', 'ACLCAT', 'write')).split(',');
    const writes = new Set(info);
    assert.ok(writes.has('hset') && writes.has('del'));
    const wrong = [...calls.keys()].filter(
      (name) => writes.has(name) || /^(eval|script|fcall|keys)/.test(name),
    );
    assert.deepEqual(wrong, []);
    assert.ok((calls.get('hmget') ?? 0) > 100);

    assert.deepEqual(await dumpKeyspace(stage.admin, ''), before);
  });

  it('of a queue that does not exist creates nothing', async () => {
    await browse();
    assert.equal(await stage.admin.dbsize(), 0);
  });

  it('a hundred times keeps one connection and gathers nothing', async () => {
    await seedJobs(stage.admin, mail, 'wait', numberedJobs(5));
    const executor = stage.connect();
    const refresh = async () => {
      const listening = executor.onLost(() => {});
      await readQueueSummaries(executor, [mail]);
      await new Queue(executor, mail).readPage('wait', { offset: 0, limit: 100 });
      listening.dispose();
    };
    await refresh();
    const resources = () => process.getActiveResourcesInfo().sort().join(' ');
    const listeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    const [resourcesBefore, listenersBefore] = [resources(), listeners()];
    for (let i = 0; i < 100; i += 1) await refresh();
    assert.equal(resources(), resourcesBefore);
    assert.equal(listeners(), listenersBefore);
    const clients = String(await stage.admin.client('LIST'));
    assert.equal(clients.match(/name=echomq-vscode/g)?.length, 1);
  });

  it('a hundred connections, each closed, leaves no socket', async () => {
    const resources = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
    const before = resources();
    for (let i = 0; i < 100; i += 1) {
      const executor = stage.connect();
      await executor.read([['PING']]);
      await executor.close();
    }
    assert.equal(resources(), before);
  });
});
