import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { ConnectionError } from '../../src/base/errors';
import { createExecutor } from '../../src/executor/executor';
import type { ConnectionOptions, HostPort } from '../../src/executor/options';
import type { Executor } from '../../src/executor/types';
import { makeAuthority } from '../support/certificates';
import { requireRedisBinary } from '../support/redisBinary';
import { findFreePort, type RedisServer, startRedis } from '../support/redisServer';
import { makeTemporaryFolder } from '../support/temporary';
import { assertFailure, failToRead } from './support/failToRead';
import { library, rejection } from './support/stage';

const NAME = 'mymaster';

interface Sentinel extends HostPort {
  readonly admin: Redis;
  stop(): Promise<void>;
}

/** Starts a sentinel that watches a primary; it has a folder of its own, since it writes into its configuration. */
async function startSentinel(
  primary: { readonly port: number },
  lines: readonly string[] = [],
): Promise<Sentinel> {
  const folder = makeTemporaryFolder('sentinel');
  const file = join(folder.path, 'sentinel.conf');
  const port = await findFreePort();
  const watch = `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 1`;
  writeFileSync(
    file,
    ['bind 127.0.0.1', `port ${port}`, `dir ${folder.path}`, watch, ...lines, ''].join('\n'),
  );
  const child = spawn(requireRedisBinary(), [file, '--sentinel'], { stdio: 'ignore' });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const admin = new Redis({
    host: '127.0.0.1',
    port,
    protocol: 2,
    retryStrategy: () => 20,
    enableReadyCheck: false,
  });
  admin.on('error', () => {});
  // A guarded sentinel answers NOAUTH: it is up all the same.
  await admin.ping().catch((error: Error) => assert.match(error.message, /^NOAUTH/));
  return {
    host: '127.0.0.1',
    port,
    admin,
    async stop() {
      process.off('exit', kill);
      admin.disconnect();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      kill();
      await gone;
      folder.remove();
    },
  };
}

describe('a primary behind sentinels', () => {
  let primary: RedisServer;
  let replica: RedisServer;
  let sentinel: Sentinel;
  const open: Executor[] = [];
  before(async () => {
    primary = await startRedis();
    replica = await startRedis(['--replicaof', `127.0.0.1 ${primary.port}`]);
    sentinel = await startSentinel(primary);
  });
  afterEach(() => Promise.all(open.splice(0).map((executor) => executor.close())));
  after(async () => {
    await sentinel.stop();
    await replica.stop();
    await primary.stop();
  });

  const behind = (nodes: readonly HostPort[], more: object = {}, master = NAME): ConnectionOptions => ({
    sentinel: { master, nodes, ...more },
  });
  const connect = (options: ConnectionOptions) => {
    const executor = createExecutor(options, library);
    open.push(executor);
    return executor;
  };
  const readRole = async (executor: Executor) => {
    const [reply] = await executor.read([['INFO', 'server']]);
    return Number(/tcp_port:(\d+)/.exec(reply && 'value' in reply ? String(reply.value) : '')?.[1]);
  };
  const countVisitors = async () =>
    String(await sentinel.admin.client('LIST')).match(/name=echomq-vscode/g)?.length ?? 0;

  it('is found, also where other sentinels are away, and no connection to a sentinel stays', async () => {
    const away = { host: '127.0.0.1', port: await findFreePort() };
    const executor = connect(behind([away, sentinel]));
    assert.equal(await readRole(executor), primary.port);
    assert.equal(
      executor.address,
      `redis-sentinel://127.0.0.1:${away.port},127.0.0.1:${sentinel.port}/0#${NAME}`,
    );
    while ((await countVisitors()) > 0) await sentinel.admin.ping();
  });

  it('that the sentinels do not know is told with its name', async () => {
    const error = await failToRead(behind([sentinel], {}, 'other'));
    assertFailure(error, 'sentinel', /knows no primary named "other"\. Correct the name/);
  });

  it('whose sentinels are all away is told with the first reason', async () => {
    const away = { host: '127.0.0.1', port: await findFreePort() };
    assertFailure(
      await failToRead(behind([away, away])),
      'sentinel',
      /None of the 2 sentinels of the primary "mymaster" can be asked\. Nothing listens at/,
    );
  });

  it('whose sentinels are no sentinels is told', async () => {
    assertFailure(
      await failToRead(behind([primary])),
      'sentinel',
      /is no sentinel\. Give the addresses of sentinels/,
    );
  });

  it('is not waited for longer than it may take to connect', async () => {
    const silent = await startSentinel(primary);
    try {
      process.kill(Number(/process_id:(\d+)/.exec(await silent.admin.info('server'))?.[1]), 'SIGSTOP');
      const error = await failToRead({ ...behind([silent]), connectTimeoutMs: 80 });
      assert.match(error.message, /gave no answer in time/);
    } finally {
      await silent.stop();
    }
  });

  it('wants the user and password of the sentinels, which are not its own', async () => {
    const guarded = await startSentinel(primary, [
      'user default off',
      'user watch on >secret allcommands allchannels',
    ]);
    try {
      const error = await failToRead(behind([guarded]));
      assertFailure(
        error,
        'sentinel',
        /does not let this connection in\. Enter the user and password of the sentinels/,
      );
      const wrong = await failToRead(behind([guarded], { username: 'watch', password: 'no' }));
      assertFailure(wrong, 'sentinel', /does not let this connection in/);
      const executor = connect(behind([guarded], { username: 'watch', password: 'secret' }));
      assert.equal(await readRole(executor), primary.port);
    } finally {
      await guarded.stop();
    }
  });

  it('is followed after a failover at the next use', async () => {
    const executor = connect(behind([sentinel]));
    assert.equal(await readRole(executor), primary.port);
    const lost = new Promise((resolve) => executor.onLost(resolve));
    const subscriber = sentinel.admin.duplicate();
    await subscriber.subscribe('+switch-master');
    const switched = new Promise((resolve) => subscriber.once('message', resolve));
    while (!String(await sentinel.admin.call('SENTINEL', 'REPLICAS', NAME)).includes(`${replica.port}`)) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await sentinel.admin.call('SENTINEL', 'FAILOVER', NAME);
    await switched;
    subscriber.disconnect();
    await primary.halt();
    await lost;
    assert.equal(await readRole(executor), replica.port);
  }).timeout(90_000);
});

describe('a primary that sentinels name wrongly', () => {
  let primary: RedisServer;
  let sentinel: Sentinel;
  let admin: Redis;
  beforeEach(async () => {
    primary = await startRedis();
    sentinel = await startSentinel(primary);
    admin = new Redis({ host: primary.host, port: primary.port });
  });
  afterEach(async () => {
    admin.disconnect();
    await sentinel.stop();
    await primary.stop();
  });
  // A sentinel notices such a change only after some seconds.
  const demote = () => admin.replicaof('127.0.0.1', '1');
  const connect = () => createExecutor({ sentinel: { master: NAME, nodes: [sentinel] } }, library);

  it('is not used: a replica in its place is told as a failover', async () => {
    await demote();
    const error = await failToRead({ sentinel: { master: NAME, nodes: [sentinel] } });
    assertFailure(error, 'failover', /name 127\.0\.0\.1:\d+ as primary, but it is a replica/);
  });

  it('is left when it becomes a replica while it is used, and the sentinels are asked again', async () => {
    const executor = connect();
    await executor.read([['PING']]);
    const losses: unknown[] = [];
    executor.onLost((error) => losses.push(error));
    await demote();
    const args = [1000, new Uint8Array([0x91, 0xa1, 0x61])];
    const run = () => executor.run({ script: 'tools/fillRecoverySet-1', keys: ['emq:q:x'], args });
    const refused = await rejection(run(), ConnectionError.is);
    assertFailure(refused, 'readOnlyReplica', /nothing was changed\. A failover is under way: try again/);
    assert.equal((await rejection(run(), ConnectionError.is)).code, 'failover');
    await admin.replicaof('NO', 'ONE');
    assert.equal(await run(), 1);
    assert.deepEqual(losses, []);
    await executor.close();
  });
});

describe('sentinels that speak TLS', () => {
  it('are asked with the files of the connection, and so is the primary', async () => {
    const folder = makeTemporaryFolder('tls');
    const authority = makeAuthority(folder.path, 'ours');
    const { certFile, keyFile } = authority.issue('server');
    const files = {
      'tls-cert-file': certFile,
      'tls-key-file': keyFile,
      'tls-ca-cert-file': authority.caFile,
    };
    const settings = [...Object.entries(files), ['tls-auth-clients', 'no'] as const];
    const [primaryPort, sentinelPort] = [await findFreePort(), await findFreePort()];
    const flags = settings.flatMap(([name, value]) => [`--${name}`, value]);
    const primary = await startRedis(['--tls-port', `${primaryPort}`, ...flags]);
    const lines = settings.map(([name, value]) => `${name} ${value}`);
    const sentinel = await startSentinel({ port: primaryPort }, [`tls-port ${sentinelPort}`, ...lines]);
    const nodes = [{ host: 'localhost', port: sentinelPort }];
    const executor = createExecutor(
      { sentinel: { master: NAME, nodes }, tls: { caFile: authority.caFile } },
      library,
    );
    try {
      assert.deepEqual(await executor.read([['PING']]), [{ value: 'PONG' }]);
      assert.match(executor.address, /^rediss-sentinel:/);
      const untrusted = await failToRead({ sentinel: { master: NAME, nodes }, tls: true });
      assertFailure(
        untrusted,
        'sentinel',
        /cannot be asked\. The certificate of localhost:\d+ is not signed/,
      );
      const plain = await failToRead({
        sentinel: { master: NAME, nodes: [sentinel], tls: false },
        tls: { caFile: authority.caFile, servername: 'other.example' },
      });
      assertFailure(plain, 'tls', /made for DNS:localhost.* and not for "other\.example"/);
    } finally {
      await executor.close();
      await sentinel.stop();
      await primary.stop();
      folder.remove();
    }
  });
});
