import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { ConnectionError } from '../../src/base/errors';
import { createExecutor } from '../../src/executor/executor';
import type { CommonOptions } from '../../src/executor/options';
import type { Executor } from '../../src/executor/types';
import { findFreePort, type RedisServer, startRedis } from '../support/redisServer';
import { makeTemporaryFolder } from '../support/temporary';
import { assertFailure, failToRead } from './support/failToRead';
import { library, openStage, rejection } from './support/stage';

/** Writes the field of a hash when it runs. */
const fill = {
  script: 'tools/fillRecoverySet-1',
  keys: ['emq:q:x'],
  args: [1000, new Uint8Array([0x91, 0xa1, 0x61])],
  queueKey: 'emq:q',
};

/** Runs a claim with an executor that is closed afterwards. */
async function using<T>(executor: Executor, claim: (executor: Executor) => Promise<T>): Promise<T> {
  try {
    return await claim(executor);
  } finally {
    await executor.close();
  }
}

const failToRun = (executor: Executor) => rejection(executor.run(fill), ConnectionError.is);

describe('a server on a Unix socket', () => {
  const folder = makeTemporaryFolder('socket');
  const socketPath = join(folder.path, 'redis.sock');
  let redis: RedisServer;
  before(async () => {
    redis = await startRedis(['--unixsocket', socketPath, '--requirepass', 'secret']);
  });
  after(async () => {
    await redis.stop();
    folder.remove();
  });

  it('is used with password and database', () =>
    using(createExecutor({ socketPath, password: 'secret', database: 2 }, library), async (executor) => {
      assert.deepEqual(await executor.read([['PING']]), [{ value: 'PONG' }]);
      assert.equal(executor.address, `unix://${socketPath}?db=2`);
    }));

  it('says that there is no socket, that nobody listens, and that a password is missing', async () => {
    const missing = join(folder.path, 'none.sock');
    assertFailure(await failToRead({ socketPath: missing }), 'refused', /There is no socket at .*none\.sock/);
    const dead = join(folder.path, 'dead.sock');
    const other = await startRedis(['--unixsocket', dead]);
    await other.halt();
    assertFailure(await failToRead({ socketPath: dead }), 'refused', /Nothing listens at .*dead\.sock/);
    await other.stop();
    assertFailure(await failToRead({ socketPath }), 'passwordNeeded', /unix:\/\/.* wants a password/);
  });

  it('says that the user may not open it', async () => {
    chmodSync(socketPath, 0o000);
    const refused = await new Promise<boolean>((resolve) => {
      const probe = createConnection({ path: socketPath });
      probe.once('connect', () => resolve(false)).once('error', () => resolve(true));
      probe.once('connect', () => probe.destroy());
    });
    const outcome = await failToRead({ socketPath });
    // The superuser may open any socket and is then asked for the password.
    if (refused) assertFailure(outcome, 'unreachable', /Your user may not open the socket .*unixsocketperm/);
    else assert.equal(outcome.code, 'passwordNeeded');
  });
});

describe('a server in a state of its own', () => {
  describe('that loads its data', () => {
    const folder = makeTemporaryFolder('loading');
    let redis: RedisServer;
    before(async () => {
      // Each key takes a millisecond, and clients are heard between them.
      const slowly = ['--key-load-delay', '1000', '--loading-process-events-interval-bytes', '1024'];
      redis = await startRedis(['--dir', folder.path, '--save', '3600 1', ...slowly]);
      const admin = new Redis({ host: redis.host, port: redis.port });
      const pipeline = admin.pipeline();
      for (let i = 0; i < 600; i += 1) pipeline.set(`k${i}`, 'x'.repeat(40));
      await pipeline.exec();
      await admin.save();
      admin.disconnect();
    });
    beforeEach(() => redis.restart());
    after(async () => {
      await redis.stop();
      folder.remove();
    });
    const connect = () => createExecutor({ host: redis.host, port: redis.port }, library);

    it('is told when the time to wait is over', async () => {
      const error = await failToRead({ host: redis.host, port: redis.port, loadingWaitMs: 0 });
      assertFailure(error, 'loading', /still loading its data from disk\. Try again in a moment/);
    });

    it('is waited for, and read once it has', () =>
      using(connect(), async (executor) => {
        assert.deepEqual(await executor.read([['PING'], ['DBSIZE']]), [{ value: 'PONG' }, { value: 600 }]);
      }));

    it('is waited for, and written to once', () =>
      using(connect(), async (executor) => assert.equal(await executor.run(fill), 1)));

    it('can be left while it is waited for', async () => {
      const executor = connect();
      const reading = rejection(executor.read([['DBSIZE']]), ConnectionError.is);
      await new Promise(setImmediate);
      await executor.close();
      assert.ok(['loading', 'closed'].includes((await reading).code));
    });
  });

  it('that is a replica without its primary answers nothing, and says why', async () => {
    const nobody = await findFreePort();
    const stale = ['--replicaof', `127.0.0.1 ${nobody}`, '--replica-serve-stale-data', 'no'];
    const stage = await openStage(stale);
    try {
      const executor = stage.connect();
      const error = await rejection(executor.read([['LLEN', 'x']]), ConnectionError.is);
      assertFailure(error, 'primaryDown', /replica that has lost its primary.* Connect to its primary/);
      const written = await failToRun(executor);
      assert.ok(['primaryDown', 'readOnlyReplica'].includes(written.code), written.code);
    } finally {
      await stage.close();
    }
  });

  it('that is a real replica reads, and refuses a move', async () => {
    const primary = await startRedis();
    const stage = await openStage(['--replicaof', `127.0.0.1 ${primary.port}`]);
    try {
      const executor = stage.connect();
      assertFailure(await failToRun(executor), 'readOnlyReplica', /read-only replica: nothing was changed/);
      assert.deepEqual(await executor.read([['LLEN', 'x']]), [{ value: 0 }]);
    } finally {
      await stage.close();
      await primary.stop();
    }
  });

  it('that cannot save refuses a move, and says that nothing was changed', async () => {
    const stage = await openStage(['--dbfilename', 'taken']);
    try {
      const [, folder = ''] = (await stage.admin.config('GET', 'dir')) as string[];
      // A folder in the place of the file makes every save fail.
      mkdirSync(join(folder, 'taken'));
      await stage.admin.config('SET', 'save', '3600 1');
      await assert.rejects(stage.admin.save());
      await stage.admin.bgsave();
      let info = '';
      while (!info.includes('rdb_last_bgsave_status:err')) info = await stage.admin.info('persistence');
      assertFailure(
        await failToRun(stage.connect()),
        'serverError',
        /MISCONF.*nothing was changed\. Its log says/,
      );
      assert.equal(await stage.admin.dbsize(), 0);
    } finally {
      await stage.close();
    }
  });

  it('that has no SCRIPT and no CLIENT runs scripts all the same', async () => {
    const redis = await startRedis(
      ['SCRIPT', 'CLIENT', 'INFO'].flatMap((name) => ['--rename-command', name, '']),
    );
    try {
      await using(createExecutor({ host: redis.host, port: redis.port }, library), async (executor) => {
        assert.equal(await executor.run(fill), 1);
        assert.deepEqual(await executor.runTogether([fill]), [1]);
        const [info] = await executor.read([['INFO', 'server']]);
        assert.ok(info && 'error' in info);
        assertFailure(
          info.error,
          'unknownCommand',
          /does not know the command INFO: it was renamed or switched off/,
        );
      });
    } finally {
      await redis.stop();
    }
  });
});

describe('a node of a cluster', () => {
  let nodes: RedisServer[];
  let admins: Redis[];
  before(async () => {
    const start = () =>
      startRedis(async () => ['--cluster-enabled', 'yes', '--cluster-port', `${await findFreePort()}`]);
    nodes = [await start(), await start()];
    admins = nodes.map(({ host, port }) => new Redis({ host, port, protocol: 2 }));
    const [one, two] = admins;
    await one?.call('CLUSTER', 'ADDSLOTSRANGE', '0', '8191');
    await two?.call('CLUSTER', 'ADDSLOTSRANGE', '8192', '16383');
    await two?.call('CLUSTER', 'SET-CONFIG-EPOCH', '2');
    const bus = /(\d+)@(\d+)/.exec(String(await two?.call('CLUSTER', 'NODES')));
    await one?.call('CLUSTER', 'MEET', '127.0.0.1', bus?.[1] ?? '', bus?.[2] ?? '');
    let state = '';
    while (!state.includes('cluster_state:ok')) {
      state = String(await one?.call('CLUSTER', 'INFO'));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  after(async () => {
    for (const admin of admins) admin.disconnect();
    for (const node of nodes) await node.stop();
  });

  const connect = (more: CommonOptions = {}) => {
    const [node] = nodes;
    return createExecutor({ host: node?.host ?? '', port: node?.port ?? 0, ...more }, library);
  };

  it('says of a key of another node, and of keys in several slots, that cluster mode is not supported yet', () =>
    using(connect(), async (executor) => {
      // The slot of "foo" is 12182, that of "bar" 5061.
      const [foreign, own] = await executor.read([
        ['LLEN', 'foo'],
        ['LLEN', 'bar'],
      ]);
      assert.ok(foreign && 'error' in foreign);
      assertFailure(
        foreign.error,
        'cluster',
        /the key "foo" lies at \S*:\d+\. Cluster mode is not supported yet: connect to a server without it/,
      );
      assert.deepEqual(own, { value: 0 });
      const keys = Array.from({ length: 9 }, (_, i) => `emq:q:${i}`);
      const moving = executor.run({ script: 'promote-9', keys, args: ['emq:q:', '7'] });
      const error = await rejection(moving, ConnectionError.is);
      assertFailure(
        error,
        'cluster',
        /the keys of promote-9 lie in several of its slots .*not supported yet/,
      );
    }));

  it('has one database only', async () => {
    const [node] = nodes;
    const error = await failToRead({ host: node?.host ?? '', port: node?.port ?? 0, database: 3 });
    assertFailure(error, 'cluster', /which has database 0 only/);
  });
});
