import assert from 'node:assert/strict';
import { ConnectionError } from '../../../src/base/errors';
import {
  findError,
  findNumber,
  findText,
  findTexts,
  measureReply,
  requireValue,
  withoutUndefined,
} from '../../../src/queue/replies';

const failed = { error: new ConnectionError('x', 'wrongType') };

describe('replies', () => {
  it('of another kind than expected, failed or missing are undefined', () => {
    for (const reply of [failed, { value: null }, { value: [] }, undefined]) {
      assert.equal(findNumber(reply), undefined);
      assert.equal(findText(reply), undefined);
      assert.deepEqual(findTexts(reply), []);
    }
    assert.equal(findError(failed), failed.error);
    assert.equal(findError({ value: 1 }), undefined);
    assert.throws(() => requireValue(failed), failed.error);
  });

  it('are measured as they lie on the wire', () => {
    assert.equal(measureReply(null), '$-1\r\n'.length);
    assert.equal(measureReply(12), ':12\r\n'.length);
    assert.equal(measureReply('é'), Buffer.byteLength('$2\r\né\r\n'));
    assert.equal(measureReply(['a', 1, []]), '*3\r\n$1\r\na\r\n:1\r\n*0\r\n'.length);
  });

  it('lose no property but those that are undefined', () => {
    assert.deepEqual(withoutUndefined({ a: undefined, b: null, c: 0 }), { b: null, c: 0 });
  });
});
