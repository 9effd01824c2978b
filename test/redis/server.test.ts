import assert from 'node:assert/strict';
import { describeServer } from '../../src/queue/server';
import { startCountingProxy } from '../support/countingProxy';
import { findFreePort, startRedis } from '../support/redisServer';
import { openStage, readCommandCalls, type Stage } from './support/stage';

describe('the description of a server', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(['--maxmemory-policy', 'volatile-lru']);
  });
  after(() => stage.close());

  it('says address, version, mode, role, clients and policy', async () => {
    const server = await describeServer(stage.connect());
    assert.equal(server.address, `redis://127.0.0.1:${stage.server.port}/0`);
    assert.ok(server.product === 'Redis' || server.product === 'Valkey');
    assert.match(server.version ?? '', /^\d+\.\d+\.\d+/);
    assert.equal(server.mode, 'standalone');
    assert.equal(server.role, 'primary');
    assert.equal(server.connectedClients, 2);
    assert.equal(server.maxmemoryPolicy, 'volatile-lru');
    assert.deepEqual(server.denied, []);
    assert.ok(!('primaryAddress' in server));
  });

  it('is read in one round trip, and writes nothing', async () => {
    const proxy = await startCountingProxy(stage.server.port);
    const executor = stage.connect({ port: proxy.port });
    await executor.read([['PING']]);
    await stage.admin.config('RESETSTAT');
    proxy.reset();
    await describeServer(executor);
    assert.equal(proxy.roundTrips, 1);
    const calls = [...(await readCommandCalls(stage.admin)).keys()];
    assert.deepEqual(calls.sort(), ['client|getname', 'config|resetstat', 'hello', 'info', 'script|exists']);
    assert.equal(await stage.admin.dbsize(), 0);
    await executor.close();
    await proxy.close();
  });

  it('knows version, mode and role with least rights, and names each command that is denied', async () => {
    await stage.admin.call('ACL', 'SETUSER', 'least', 'on', '>p', '~*', '+@read', '+@connection', '-client');
    const server = await describeServer(stage.connect({ username: 'least', password: 'p' }));
    assert.match(server.version ?? '', /^\d+\./);
    assert.deepEqual([server.mode, server.role], ['standalone', 'primary']);
    assert.deepEqual([server.connectedClients, server.maxmemoryPolicy], [undefined, undefined]);
    assert.deepEqual(
      server.denied.map(({ command, reason }) => [command, reason.code]),
      [
        ['INFO', 'noPermission'],
        ['CLIENT', 'noPermission'],
        ['SCRIPT', 'noPermission'],
      ],
    );
    assert.match(
      server.denied[0]?.reason.message ?? '',
      /"least".*may not run INFO: the ACL rule \+info is missing/,
    );
  });

  it('holds these also for a user who may do next to nothing', async () => {
    await stage.admin.call('ACL', 'SETUSER', 'nothing', 'on', '>p', '+ping');
    const server = await describeServer(stage.connect({ username: 'nothing', password: 'p' }));
    assert.equal(server.address, `redis://nothing@127.0.0.1:${stage.server.port}/0`);
    assert.deepEqual([server.mode, server.role], ['standalone', 'primary']);
    assert.equal(server.denied.length, 3);
  });
});

describe('the description of an unusual server', () => {
  it('without INFO, CLIENT and SCRIPT says that it does not know them, and the rest', async () => {
    const renamed = ['INFO', 'CLIENT', 'SCRIPT'].flatMap((command) => ['--rename-command', command, '']);
    const stage = await openStage(renamed);
    // Without CLIENT nobody can count connections from outside.
    const executor = stage.connect();
    try {
      const server = await describeServer(executor);
      assert.equal(server.role, 'primary');
      assert.match(server.version ?? '', /^\d+\./);
      assert.deepEqual(
        server.denied.map(({ command, reason }) => [command, reason.code]),
        [
          ['INFO', 'unknownCommand'],
          ['CLIENT', 'unknownCommand'],
          ['SCRIPT', 'unknownCommand'],
        ],
      );
      assert.match(server.denied[0]?.reason.message ?? '', /does not know the command INFO: it was renamed/);
    } finally {
      await executor.close();
      stage.admin.disconnect();
      await stage.server.stop();
    }
  });

  it('that is a replica names its primary', async () => {
    const primary = await startRedis();
    const stage = await openStage(['--replicaof', `127.0.0.1 ${primary.port}`]);
    try {
      const server = await describeServer(stage.connect());
      assert.equal(server.role, 'replica');
      assert.equal(server.primaryAddress, `127.0.0.1:${primary.port}`);
    } finally {
      await stage.close();
      await primary.stop();
    }
  });

  it('that is a node of a cluster says so', async () => {
    const stage = await openStage(async () => [
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      `${await findFreePort()}`,
    ]);
    try {
      assert.equal((await describeServer(stage.connect())).mode, 'cluster');
    } finally {
      await stage.close();
    }
  });
});
