import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findJobIdProblem } from '../../../src/keys/jobId';
import { Keys } from '../../../src/keys/keys';
import { STATE_NAMES } from '../../../src/keys/states';

describe('a custom job id', () => {
  it('is free in its characters, also in those that break URLs', () => {
    for (const id of ['a', 'order/7?x#y%', '007', '1.5', '-', '-0', '1e3', 'é', 'repeat:s:1', ' ']) {
      assert.equal(findJobIdProblem(id), undefined, id);
    }
  });

  it('is never a whole number, which the counter hands out', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (n) => assert.notEqual(findJobIdProblem(`${n}`), undefined)));
    assert.match(findJobIdProblem('12') ?? '', /whole number/);
  });

  it('is not empty and no legacy marker', () => {
    assert.match(findJobIdProblem('') ?? '', /empty/);
    assert.match(findJobIdProblem('0') ?? '', /marker/);
    assert.match(findJobIdProblem('0:1:2') ?? '', /marker/);
  });

  it('holds no colon, or exactly the two of an iteration', () => {
    assert.match(findJobIdProblem('a:b') ?? '', /colon/);
    assert.match(findJobIdProblem('a:b:c:d') ?? '', /colon/);
    assert.equal(findJobIdProblem('a:b:c'), undefined);
  });

  it('is never the name of a key of the queue, which the job would take the place of', () => {
    const keys = new Keys('emq', 'q');
    for (const key of [
      ...STATE_NAMES.map((s) => keys.state(s)),
      keys.meta(),
      keys.events(),
      keys.stalledCheck(),
    ]) {
      const id = key.slice(keys.base.length);
      assert.match(findJobIdProblem(id) ?? '', /a key of the queue/, id);
    }
    for (const id of ['id', 'metrics:failed:data', 'de:a:b']) {
      assert.match(findJobIdProblem(id) ?? '', /a key of the queue/, id);
    }
  });
});
