import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ConnectionError, ScriptFailure } from '../../src/base/errors';
import type { ReadCommand } from '../../src/executor/types';
import type { ScriptLibrary } from '../../src/scripts/types';
import { type CountingProxy, startCountingProxy } from '../support/countingProxy';
import { countClients, openStage, readCommandCalls, rejection, type Stage } from './support/stage';

/** Scripts of the test's own. Each line stands where it was written. */
function scriptsOf(texts: Record<string, string>): ScriptLibrary {
  return {
    load(id) {
      const text = texts[id];
      if (text === undefined) throw new Error(`There is no script ${id}.`);
      const lines = text.split('\n').map((_, i) => ({ file: `${id}.lua`, line: i + 1 }));
      const sha = createHash('sha1').update(text).digest('hex');
      return { id, keyCount: Number(id.split('-').at(-1)), text, sha, lines };
    },
  };
}

const scripts = scriptsOf({
  'count-1': "return redis.call('INCR', KEYS[1])",
  'echo-0': 'return ARGV',
  'refuse-1': 'return -3',
  'break-1': "redis.call('INCR', KEYS[1])\nerror('boom')",
  'push-1': "return redis.call('LPUSH', KEYS[1], 'x')",
  'deny-1': "redis.call('GET', KEYS[1])\nreturn redis.call('SET', KEYS[1], 'x')",
  'mixed-0': "return {1, 'é', false, {2, {}}}",
});

const count = (key = 'n') => ({ script: 'count-1', keys: [key], args: [], queueKey: 'emq:q' });

describe('the executor', () => {
  let stage: Stage;
  let proxy: CountingProxy;
  before(async () => {
    stage = await openStage();
    proxy = await startCountingProxy(stage.server.port);
  });
  after(async () => {
    await proxy.close();
    await stage.close();
  });
  beforeEach(async () => {
    await stage.admin.flushall();
    await stage.admin.script('FLUSH');
    stage.log.length = 0;
  });

  afterEach(() => stage.closeExecutors());

  const connect = () => stage.connect({}, scripts);

  describe('runs a script', () => {
    it('by its SHA, and by its text only when the server does not know it', async () => {
      const executor = connect();
      await stage.admin.config('RESETSTAT');
      assert.equal(await executor.run(count()), 1);
      assert.equal(await executor.run(count()), 2);
      const calls = await readCommandCalls(stage.admin);
      assert.equal(calls.get('evalsha'), 2);
      assert.equal(calls.get('eval'), 1);
    });

    it('once and not twice after all scripts were flushed', async () => {
      const executor = connect();
      await executor.run(count());
      await stage.admin.script('FLUSH');
      assert.equal(await executor.run(count()), 2);
      assert.equal(await stage.admin.get('n'), '2');
    });

    it('with arguments byte for byte and numbers written out', async () => {
      const executor = connect();
      const args = ['é\r\n', 9007199254740991, 1.5, -0, 1e21, new Uint8Array([0x61, 0x62]).subarray(1)];
      const reply = await executor.run({ script: 'echo-0', keys: [], args });
      assert.deepEqual(reply, ['é\r\n', '9007199254740991', '1.5', '0', '1000000000000000000000', 'b']);
      await assert.rejects(executor.run({ script: 'echo-0', keys: [], args: [Number.NaN] }), RangeError);
    });

    it('and gives its reply back as it came', async () => {
      const reply = await connect().run({ script: 'mixed-0', keys: [], args: [] });
      assert.deepEqual(reply, [1, 'é', null, [2, []]]);
      assert.equal(await connect().run({ script: 'refuse-1', keys: ['k'], args: [] }), -3);
    });

    it('only with as many keys as its name says', async () => {
      await stage.admin.config('RESETSTAT');
      const call = { script: 'count-1', keys: ['a', 'b'], args: [] };
      await assert.rejects(connect().run(call), /count-1 takes 1 keys and was given 2/);
      await assert.rejects(connect().runTogether([call]), /takes 1 keys/);
      await assert.rejects(connect().run({ script: 'none-1', keys: ['a'], args: [] }), /no script none-1/);
      assert.equal((await readCommandCalls(stage.admin)).get('evalsha'), undefined);
    });

    it('and logs script, queue, duration and outcome, and never an argument', async () => {
      const executor = connect();
      await executor.run(count());
      await executor.run({ script: 'refuse-1', keys: ['k'], args: ['secret'] });
      await assert.rejects(executor.run({ script: 'break-1', keys: ['k'], args: ['secret'] }));
      const outcomes = stage.log.map(({ script, queueKey, outcome }) => [script, queueKey, outcome]);
      assert.deepEqual(outcomes, [
        ['count-1', 'emq:q', 'ok'],
        ['refuse-1', '', '-3'],
        ['break-1', '', 'failure'],
      ]);
      assert.ok(stage.log.every(({ durationMs }) => durationMs > 0));
      assert.doesNotMatch(JSON.stringify(stage.log), /secret/);
    });

    it('that breaks, and tells the file and the line', async () => {
      const error = await rejection(
        connect().run({ script: 'break-1', keys: ['k'], args: [] }),
        ScriptFailure.is,
      );
      assert.equal(error.message, 'break-1 failed at break-1.lua:2: boom.');
      assert.equal(error.line, 2);
    });

    it('that meets a key of the wrong type, and says so', async () => {
      await stage.admin.hset('k', 'a', '1');
      const error = await rejection(
        connect().run({ script: 'push-1', keys: ['k'], args: [] }),
        ScriptFailure.is,
      );
      assert.match(error.message, /push-1\.lua:1: WRONGTYPE.*wrong type/);
    });

    it('that the user may not run, and names the rule', async () => {
      await stage.admin.call('ACL', 'SETUSER', 'reader', 'on', '>p', '~*', '+@read', '+@connection');
      const reader = stage.connect({ username: 'reader', password: 'p' }, scripts);
      const error = await rejection(reader.run(count()), ConnectionError.is);
      assert.equal(error.code, 'noPermission');
      assert.match(error.message, /"reader".*EVALSHA: the ACL rule \+evalsha is missing/);

      await stage.admin.call('ACL', 'SETUSER', 'runner', 'on', '>p', '~*', '+@read', '+evalsha', '+eval');
      const runner = stage.connect({ username: 'runner', password: 'p' }, scripts);
      const inside = await rejection(
        runner.run({ script: 'deny-1', keys: ['k'], args: [] }),
        ConnectionError.is,
      );
      assert.equal(inside.code, 'noPermission');
      assert.match(inside.message, /\+set is missing.*deny-1 stopped at deny-1\.lua:2/);

      await stage.admin.call('ACL', 'SETUSER', 'narrow', 'on', '>p', '~emq:*', '+@all');
      const narrow = stage.connect({ username: 'narrow', password: 'p' }, scripts);
      const foreign = await rejection(narrow.run(count('other')), ConnectionError.is);
      assert.match(
        foreign.message,
        /may not use the keys of the queue "emq:q": an ACL rule such as ~emq:q:\* is missing/,
      );
    });

    it('that the server has no memory for, and says that nothing was changed', async () => {
      await stage.admin.config('SET', 'maxmemory', '1');
      try {
        const error = await rejection(connect().run(count()), ConnectionError.is);
        assert.equal(error.code, 'outOfMemory');
        assert.match(error.message, /nothing was changed/);
      } finally {
        await stage.admin.config('SET', 'maxmemory', '0');
      }
    });

    it('whose answer is lost, and says that nobody knows, and that is true: it ran once', async () => {
      const executor = stage.connect({ port: proxy.port }, scripts);
      await executor.run(count());
      const losses: ConnectionError[] = [];
      executor.onLost((error) => losses.push(error));
      proxy.loseAnswerTo('EVALSHA');
      const error = await rejection(executor.run(count()), ConnectionError.is);
      assert.equal(error.code, 'outcomeUnknown');
      assert.match(error.message, /count-1 may or may not have run\. It was not repeated/);
      assert.equal(await stage.admin.get('n'), '2');
      assert.deepEqual(
        losses.map((loss) => loss.code),
        ['closed'],
      );
      assert.equal(stage.log.at(-1)?.outcome, 'outcomeUnknown');
      // The next use connects again.
      assert.equal(await executor.run(count()), 3);
    });
  });

  describe('runs scripts together', () => {
    it('in one transaction, also when the server has forgotten them', async () => {
      const executor = connect();
      assert.deepEqual(await executor.runTogether([count('a'), count('a'), count('b')]), [1, 2, 1]);
      await stage.admin.script('FLUSH');
      assert.deepEqual(await executor.runTogether([count('a')]), [3]);
      assert.deepEqual(
        stage.log.map(({ outcome }) => outcome),
        ['ok', 'ok', 'ok', 'ok'],
      );
    });

    it('and those after a broken one run all the same', async () => {
      const broken = { script: 'break-1', keys: ['k'], args: [] };
      const error = await rejection(connect().runTogether([count(), broken, count()]), ScriptFailure.is);
      assert.equal(error.script, 'break-1');
      assert.equal(await stage.admin.get('n'), '2');
    });

    it('or none of them where transactions are not allowed', async () => {
      await stage.admin.call('ACL', 'SETUSER', 'simple', 'on', '>p', '~*', '+@all', '-multi');
      const executor = stage.connect({ username: 'simple', password: 'p' }, scripts);
      const error = await rejection(executor.runTogether([count()]), ConnectionError.is);
      assert.match(error.message, /MULTI: the ACL rule \+multi is missing/);
      assert.equal(await stage.admin.exists('n'), 0);
    });

    it('or none of them where scripts are not allowed', async () => {
      await stage.admin.call('ACL', 'SETUSER', 'noeval', 'on', '>p', '~*', '+@all', '-eval');
      const executor = stage.connect({ username: 'noeval', password: 'p' }, scripts);
      const error = await rejection(executor.runTogether([count()]), ConnectionError.is);
      assert.match(error.message, /\+eval is missing/);
      assert.equal(await stage.admin.exists('n'), 0);
    });
  });

  describe('reads', () => {
    it('many commands in one round trip, each failing alone', async () => {
      const executor = stage.connect({ port: proxy.port }, scripts);
      await executor.read([['PING']]);
      await stage.admin.lpush('list', 'a');
      proxy.reset();
      const replies = await executor.read([
        ['LLEN', 'list'],
        ['ZCARD', 'list'],
        ['GET', 'none'],
        ['LRANGE', 'list', 0, -1],
      ]);
      assert.equal(proxy.roundTrips, 1);
      const [length, wrong, ...others] = replies;
      assert.deepEqual(length, { value: 1 });
      assert.deepEqual(others, [{ value: null }, { value: ['a'] }]);
      assert.ok(wrong && 'error' in wrong);
      assert.equal(wrong.error.code, 'wrongType');
      assert.match(wrong.error.message, /The key "list" does not hold a sorted set/);
    });

    it('hashes as flat lists of texts', async () => {
      await stage.admin.hset('h', { a: '1', b: 'é' });
      assert.deepEqual(await connect().read([['HGETALL', 'h']]), [{ value: ['a', '1', 'b', 'é'] }]);
    });

    it('nothing for no commands, without connecting', async () => {
      assert.deepEqual(await connect().read([]), []);
    });

    it('never what could write: such a list is refused before a byte is sent', async () => {
      const executor = stage.connect({ port: proxy.port }, scripts);
      await executor.read([['PING']]);
      proxy.reset();
      for (const command of ['SET', 'DEL', 'EVAL', 'KEYS', 'FLUSHALL', 'set']) {
        const commands: ReadCommand[] = [['PING'], [command, 'n', 'x']];
        await assert.rejects(executor.read(commands), /is not among the commands that reading may send/);
      }
      assert.deepEqual(proxy.commands, []);
      assert.equal(proxy.bytesToServer, 0);
    });

    it('with least rights, and says which rule is missing', async () => {
      await stage.admin.call('ACL', 'SETUSER', 'some', 'on', '>p', '~emq:*', '+llen');
      const executor = stage.connect({ username: 'some', password: 'p' }, scripts);
      const [fine, command, key] = await executor.read([
        ['LLEN', 'emq:a'],
        ['ZCARD', 'emq:a'],
        ['LLEN', 'bull:a'],
      ]);
      assert.deepEqual(fine, { value: 0 });
      assert.ok(command && 'error' in command && key && 'error' in key);
      assert.match(command.error.message, /ZCARD: the ACL rule \+zcard is missing/);
      assert.match(key.error.message, /key "bull:a": an ACL rule such as ~bull:a is missing/);
    });
  });

  describe('holds its connection', () => {
    it('not before it is needed, once for many at the same time, and under its name', async () => {
      const executor = connect();
      assert.equal(await countClients(stage.admin), 0);
      await Promise.all(Array.from({ length: 20 }, () => executor.read([['PING']])));
      const clients = String(await stage.admin.client('LIST'));
      assert.equal(clients.match(/name=echomq-vscode/g)?.length, 1);
      await executor.close();
      assert.equal(await countClients(stage.admin), 0);
    });

    it('in the database it was given, or not at all', async () => {
      const executor = stage.connect({ database: 3 }, scripts);
      await executor.run(count());
      assert.equal(await stage.admin.exists('n'), 0);
      const wrong = stage.connect({ database: 99 }, scripts);
      const error = await rejection(wrong.run(count()), ConnectionError.is);
      assert.match(error.message, /database of redis:\/\/127\.0\.0\.1:\d+\/99 does not exist/);
      assert.equal(await stage.admin.exists('n'), 0);
    });

    it('until it is closed: pending reads end as closed, pending scripts as unknown, later ones as closed', async () => {
      const executor = stage.connect({ port: proxy.port }, scripts);
      await executor.run(count());
      const losses: unknown[] = [];
      executor.onLost((error) => losses.push(error));
      const reading = rejection(executor.read([['PING']]), ConnectionError.is);
      const running = rejection(executor.run(count()), ConnectionError.is);
      // Both have been handed to the socket once the promises before them have settled.
      await new Promise(setImmediate);
      await Promise.all([executor.close(), executor.close()]);
      assert.equal((await reading).code, 'closed');
      assert.equal((await running).code, 'outcomeUnknown');
      assert.equal((await rejection(executor.run(count()), ConnectionError.is)).code, 'closed');
      assert.equal((await rejection(executor.read([['PING']]), ConnectionError.is)).code, 'closed');
      assert.deepEqual(losses, []);
    });

    it('and can be closed before, and while, it connects', async () => {
      await connect().close();
      const executor = connect();
      const reading = rejection(executor.read([['PING']]), ConnectionError.is);
      await executor.close();
      assert.equal((await reading).code, 'closed');
    });
  });
});
