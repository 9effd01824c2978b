import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { ConnectionError } from '../../src/base/errors';
import { createExecutor } from '../../src/executor/executor';
import type { CommonOptions, HostPort } from '../../src/executor/options';
import type { Executor } from '../../src/executor/types';
import { startCountingProxy } from '../support/countingProxy';
import { findFreePort } from '../support/redisServer';
import { assertFailure, failToRead } from './support/failToRead';
import { library, openStage, rejection, type Stage } from './support/stage';

const promote = {
  script: 'promote-9',
  keys: Array.from({ length: 9 }, (_, i) => `emq:q:${i}`),
  args: ['emq:q:', '7'],
  queueKey: 'emq:q',
};

describe('a server that cannot be used', () => {
  const open: { server: Server; sockets: Set<Socket> }[] = [];
  const rejections: unknown[] = [];
  const keep = (reason: unknown) => rejections.push(reason);
  before(() => process.on('unhandledRejection', keep));
  after(() => {
    process.off('unhandledRejection', keep);
    assert.deepEqual(rejections, [], 'a rejection was not handled');
  });
  afterEach(async () => {
    for (const { server, sockets } of open.splice(0)) {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  /** Listens on a free port. */
  async function listen(server: Server): Promise<HostPort & { sockets: Set<Socket> }> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ server, sockets });
    const address = server.address();
    return { host: '127.0.0.1', port: typeof address === 'object' && address ? address.port : 0, sockets };
  }

  it('because nothing listens there', async () => {
    const error = await failToRead({ host: '127.0.0.1', port: await findFreePort() });
    assertFailure(error, 'refused', /Nothing listens at 127\.0\.0\.1:\d+\. Start Redis there/);
    const both = await failToRead({ host: 'localhost', port: await findFreePort() });
    assertFailure(both, 'refused', /Nothing listens at localhost/);
  });

  it('because its name is unknown', async () => {
    const error = await failToRead({ host: 'no-such-host.invalid', port: 6379 });
    assertFailure(error, 'unreachable', /host name "no-such-host\.invalid" cannot be found/);
  });

  it('because it never answers while connecting', async () => {
    const { sockets, ...silent } = await listen(createServer());
    const error = await failToRead({ ...silent, password: 'secret', connectTimeoutMs: 60 });
    assertFailure(error, 'timeout', /gave no answer in time/);
    await closedAll(sockets);
  });

  it('because it never answers a TLS handshake', async () => {
    const { sockets, ...silent } = await listen(createServer());
    const error = await failToRead({ ...silent, tls: true, connectTimeoutMs: 60 });
    assertFailure(error, 'timeout', /If the server does not use TLS, switch it off/);
    await closedAll(sockets);
  });

  it('because it hangs up at once', async () => {
    const { sockets: _, ...rude } = await listen(createServer((socket) => socket.destroy()));
    const error = await failToRead(rude);
    assertFailure(error, 'closed', /closed the connection at once\. Check that it is a Redis/);
  });

  it('because it speaks another protocol', async () => {
    const { sockets: _, ...http } = await listen(
      createServer((socket) => socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))),
    );
    const error = await failToRead(http);
    assertFailure(error, 'tls', /does not answer like Redis\. If it expects TLS, switch TLS on/);
  });

  it('because it wants TLS', async () => {
    const { sockets: _, ...secure } = await listen(createTlsServer());
    const error = await failToRead(secure);
    assert.ok(['tls', 'closed'].includes(error.code), error.code);
    assert.match(error.message, /expects TLS/);
  });

  it('because TLS is spoken to it and it speaks none', async () => {
    const { sockets: _, ...plain } = await listen(
      createServer((socket) => socket.on('data', () => socket.write('-ERR Protocol error\r\n'))),
    );
    const error = await failToRead({ ...plain, tls: true });
    assertFailure(error, 'tls', /does not use TLS\. Switch TLS off/);
  });

  it('because it is loading, which holds for every command', async () => {
    const { sockets: _, ...loading } = await listen(
      createServer((socket) => {
        socket.once('data', () => {
          socket.write('+OK\r\n');
          socket.on('data', () => socket.write('-LOADING Redis is loading the dataset in memory\r\n'));
        });
      }),
    );
    assertFailure(await failToRead({ ...loading, loadingWaitMs: 0 }), 'loading', /still loading its data/);
  });

  it('and each failure leaves nothing that a next try could trip over', async () => {
    const { sockets, ...silent } = await listen(createServer());
    const executor = createExecutor({ ...silent, connectTimeoutMs: 30 }, library);
    for (let i = 0; i < 3; i += 1) {
      assert.equal((await rejection(executor.read([['PING']]), ConnectionError.is)).code, 'timeout');
    }
    await closedAll(sockets);
    await executor.close();
  });
});

/** Waits until the far side has seen the end of its connections. */
async function closedAll(sockets: ReadonlySet<Socket>): Promise<void> {
  await Promise.all(
    [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve).resume())),
  );
  assert.equal(sockets.size, 0);
}

describe('a server that lets not everybody in', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
    await stage.admin.call('ACL', 'SETUSER', 'ann', 'on', '>right', '~*', '+@all');
  });
  after(() => stage.close());

  const reach = (options: CommonOptions) =>
    failToRead({ host: stage.server.host, port: stage.server.port, ...options });

  it('refuses a wrong password', async () => {
    const error = await reach({ username: 'ann', password: 'secret' });
    assertFailure(error, 'wrongPassword', /redis:\/\/ann@127.* refused the user name or the password/);
  });

  it('refuses a password that it does not need', async () => {
    assertFailure(await reach({ password: 'secret' }), 'wrongPassword', /needs no password/);
  });

  it('is never used as the default user when another is named', async () => {
    const error = await reach({ username: 'ann' });
    assertFailure(error, 'passwordNeeded', /wants the password of the user "ann"/);
    await stage.admin.call('ACL', 'SETUSER', 'guest', 'on', 'nopass', '~*', '+@read', '+@connection');
    const executor = stage.connect({ username: 'guest' });
    await executor.read([['EXISTS', 'k']]);
    assert.match(String(await stage.admin.call('CLIENT', 'LIST')), /user=guest/);
  });

  it('wants a password when none is given, and takes it when it is', async () => {
    await stage.admin.config('SET', 'requirepass', 'right');
    try {
      assertFailure(await reach({}), 'passwordNeeded', /wants a password/);
      const executor = stage.connect({ password: 'right' });
      assert.deepEqual(await executor.read([['PING']]), [{ value: 'PONG' }]);
    } finally {
      await stage.admin.config('SET', 'requirepass', '');
    }
  });

  it('is used without INFO, CLIENT and SCRIPT where these are denied', async () => {
    await stage.admin.call(
      'ACL',
      'SETUSER',
      'least',
      'on',
      '>p',
      '~*',
      '+@read',
      '-info',
      '-client',
      '-script',
    );
    const executor = stage.connect({ username: 'least', password: 'p' });
    assert.deepEqual(await executor.read([['LLEN', 'x']]), [{ value: 0 }]);
  });
});

describe('a server that stops being usable', () => {
  let stage: Stage;
  let executor: Executor;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());
  beforeEach(() => {
    executor = stage.connect();
  });
  afterEach(() => executor.close());

  it('by ending is reported once, and used again after its restart', async () => {
    await executor.read([['PING']]);
    const lost = new Promise<ConnectionError>((resolve) => executor.onLost(resolve));
    const silent = executor.onLost(() => assert.fail('a listener that was let go was called'));
    silent.dispose();
    const restarting = stage.server.restart();
    assertFailure(await lost, 'closed', /connection to 127.* was lost\. Check that the server runs/);
    await restarting;
    assert.deepEqual(await executor.read([['DBSIZE']]), [{ value: 0 }]);
    assert.equal(await executor.run(promote), -3);
  });

  it('by cutting the connection, is connected to again at the next use', async () => {
    await executor.read([['PING']]);
    const lost = new Promise((resolve) => executor.onLost(resolve));
    await stage.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await lost;
    assert.deepEqual(await executor.read([['PING']]), [{ value: 'PONG' }]);
  });

  it('by becoming a replica, refuses moves and still reads', async () => {
    await stage.admin.replicaof('127.0.0.1', 1);
    try {
      await stage.admin.config('SET', 'replica-serve-stale-data', 'yes');
      const error = await rejection(
        executor.run({
          script: 'tools/fillRecoverySet-1',
          keys: ['emq:q:x'],
          args: [1000, new Uint8Array([0x91, 0xa1, 0x61])],
        }),
        ConnectionError.is,
      );
      assertFailure(error, 'readOnlyReplica', /Connect to its primary/);
      assert.deepEqual(await executor.read([['LLEN', 'x']]), [{ value: 0 }]);
    } finally {
      await stage.admin.replicaof('NO', 'ONE');
    }
  });

  it('by a script that does not end, and is usable when the script is stopped', async () => {
    await stage.admin.config('SET', 'busy-reply-threshold', '1');
    await executor.read([['PING']]);
    const other = stage.admin.duplicate();
    other.on('error', () => {});
    const endless = other.eval('while true do end', 0).catch(() => {});
    let error: ConnectionError | undefined;
    while (error === undefined) {
      error = await executor.read([['PING']]).then(
        () => undefined,
        (e: unknown) => (ConnectionError.is(e) ? e : assert.fail(String(e))),
      );
    }
    assertFailure(error, 'busy', /SCRIPT KILL/);
    assert.equal((await rejection(executor.run(promote), ConnectionError.is)).code, 'busy');
    await stage.admin.script('KILL');
    await endless;
    other.disconnect();
    assert.deepEqual(await executor.read([['PING']]), [{ value: 'PONG' }]);
  });

  it('by not answering in time: reads fail, moves are of unknown outcome, and the connection is given up', async () => {
    const proxy = await startCountingProxy(stage.server.port);
    const hasty = stage.connect({ port: proxy.port, commandTimeoutMs: 80 });
    await hasty.run(promote);
    const losses: string[] = [];
    hasty.onLost((error) => losses.push(error.code));
    proxy.mute(true);
    const late = await rejection(hasty.read([['PING']]), ConnectionError.is);
    assertFailure(late, 'timeout', /no answer within 0\.08 s/);
    proxy.mute(false);
    await hasty.read([['PING']]);
    proxy.mute(true);
    const unknown = await rejection(hasty.run(promote), ConnectionError.is);
    assertFailure(unknown, 'outcomeUnknown', /gave no answer in time: promote-9 may or may not have run/);
    assert.deepEqual(losses, ['timeout', 'timeout']);
    await hasty.close();
    assert.equal(proxy.connections, 0);
    await proxy.close();
  });
});
