import assert from 'node:assert/strict';
import { ConnectionError } from '../../../src/base/errors';
import { Keys } from '../../../src/keys/keys';
import { STATE_NAMES } from '../../../src/keys/states';
import { decodeRow, rowCommands } from '../../../src/queue/row';

const keys = new Keys('emq', 'mail');

/** Replies to {@link rowCommands} for a hash. */
function answer(state: (typeof STATE_NAMES)[number], hash: Record<string, string>, ttl = -2) {
  return rowCommands(keys, '7', state).map(([command, , ...fields]) => {
    switch (command) {
      case 'EXISTS':
        return { value: Object.keys(hash).length > 0 ? 1 : 0 };
      case 'HMGET':
        return { value: fields.map((field) => hash[field] ?? null) };
      case 'HEXISTS':
        return { value: hash[String(fields[0])] === undefined ? 0 : 1 };
      case 'HSTRLEN':
        return { value: (hash[String(fields[0])] ?? '').length };
      default:
        return { value: ttl };
    }
  });
}

describe('a row', () => {
  it('never asks for the data, the result or the stack traces of a job', () => {
    for (const state of STATE_NAMES) {
      const asked = rowCommands(keys, '7', state).flat();
      for (const field of ['data', 'returnvalue', 'stacktrace', 'opts', 'progress']) {
        assert.ok(!asked.includes(field), `${state} asks for ${field}`);
      }
      assert.ok(!asked.includes('HGETALL'));
    }
  });

  it('tells what the hash and the score say', () => {
    const row = decodeRow(
      '7',
      'delayed',
      '7356301098639360',
      answer('delayed', {
        name: 'send',
        timestamp: '1700000000000',
        atm: '2',
        ats: '3',
        stc: '1',
        delay: '400',
        failedReason: 'boom',
      }),
    );
    assert.deepEqual(row, {
      id: '7',
      state: 'delayed',
      exists: true,
      name: 'send',
      createdMs: 1700000000000,
      delayMs: 400,
      attemptsStarted: 3,
      attemptsMade: 2,
      stallCount: 1,
      dueMs: 1795971947910,
      failedReason: { bytes: 4 },
      hasParent: false,
    });
  });

  it('takes the attempts of older writers before the others', () => {
    const row = decodeRow('7', 'failed', '1', answer('failed', { name: 'n', atm: '1', attemptsMade: '5' }));
    assert.equal(row.attemptsMade, 5);
    assert.equal(row.finishedMs, 1);
  });

  it('of an id without a hash says so', () => {
    const row = decodeRow('7', 'wait', undefined, answer('wait', {}));
    assert.deepEqual(row, { id: '7', state: 'wait', exists: false, hasParent: false });
  });

  it('of a key that is no hash keeps the reason', () => {
    const problem = new ConnectionError('no hash', 'wrongType');
    const row = decodeRow('7', 'wait', undefined, [
      { value: 1 },
      { error: problem },
      { error: problem },
      { error: problem },
    ]);
    assert.equal(row.problem, problem);
    assert.ok(row.exists);
  });

  it('of an active job tells its lock: none, how long, or for ever', () => {
    const ttlOf = (ttl: number) =>
      decodeRow('7', 'active', undefined, answer('active', { name: 'n' }, ttl)).lockTtlMs;
    assert.equal(ttlOf(-2), null);
    assert.equal(ttlOf(1500), 1500);
    assert.equal(ttlOf(-1), -1);
    assert.equal(decodeRow('7', 'wait', undefined, answer('wait', { name: 'n' })).lockTtlMs, undefined);
  });

  it('of garbage tells only what can be read', () => {
    const row = decodeRow(
      '7',
      'wait',
      undefined,
      answer('wait', { name: 'n', timestamp: 'yesterday', atm: '1.5', priority: '' }),
    );
    assert.deepEqual(row, { id: '7', state: 'wait', exists: true, name: 'n', hasParent: false });
  });
});
