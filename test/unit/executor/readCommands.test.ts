import assert from 'node:assert/strict';
import { findExpectedType, findKey, requireReadCommand } from '../../../src/executor/readCommands';

describe('the commands that reading may send', () => {
  it('are accepted in either case', () => {
    requireReadCommand(['LLEN', 'k']);
    requireReadCommand(['hget', 'k', 'f']);
    requireReadCommand(['MEMORY', 'usage', 'k']);
    requireReadCommand(['client', 'getname']);
    requireReadCommand(['SCRIPT', 'EXISTS', 'sha']);
    requireReadCommand(['HELLO']);
    requireReadCommand(['INFO', 'server']);
  });

  it('include none that writes, blocks, runs a script or walks the whole database at once', () => {
    const others =
      'SET DEL LPUSH HSET ZADD SADD XADD EXPIRE PERSIST INCR RENAME FLUSHALL FLUSHDB EVAL EVALSHA EVAL_RO FCALL ' +
      'SCRIPT KEYS SORT SORT_RO GETEX GETDEL XREAD XREADGROUP BLPOP BZPOPMIN SUBSCRIBE MONITOR CONFIG CLIENT DEBUG ' +
      'SELECT AUTH MULTI EXEC WATCH SHUTDOWN OBJECT LMPOP SPOP COPY';
    for (const command of others.split(' ')) {
      assert.throws(() => requireReadCommand([command]), new RegExp(`^Error: ${command} is not among`));
    }
    for (const form of [
      ['MEMORY', 'PURGE'],
      ['CLIENT', 'KILL', 'TYPE', 'normal'],
      ['SCRIPT', 'FLUSH'],
      ['HELLO', '3'],
    ] as const) {
      assert.throws(() => requireReadCommand(form), /is not among/);
    }
    assert.throws(() => requireReadCommand(['LLEN k']));
    assert.throws(() => requireReadCommand(['']));
  });

  it('know their key and what it should hold', () => {
    assert.equal(findKey(['LLEN', 'k']), 'k');
    assert.equal(findKey(['MEMORY', 'USAGE', 'k']), 'k');
    assert.equal(findKey(['SCAN', '0', 'MATCH', '*']), undefined);
    assert.equal(findExpectedType('zcard'), 'a sorted set');
    assert.equal(findExpectedType('TYPE'), undefined);
  });
});
