import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeInteger, decodeStacktraces, JOB_FIELDS, wireName } from '../../../src/keys/jobFields';

describe('the fields of a job', () => {
  it('have one wire name each', () => {
    const names = Object.values(JOB_FIELDS);
    assert.equal(new Set(names).size, names.length);
    assert.equal(wireName('stallCount'), 'stc');
    assert.equal(wireName('attemptsMade'), 'atm');
  });

  it('that are whole numbers are read exactly, and nothing else is read as one', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (n) => assert.equal(decodeInteger(`${n}`), n)));
    for (const text of ['', '1.0', '1e3', ' 1', '9007199254740993', 'x', null, undefined]) {
      assert.equal(decodeInteger(text), undefined);
    }
  });

  it('with stack traces are read newest first', () => {
    assert.deepEqual(decodeStacktraces('["old","new"]'), ['new', 'old']);
  });

  it('with something else than stack traces are shown as they are', () => {
    assert.deepEqual(decodeStacktraces('Error: x'), ['Error: x']);
    assert.deepEqual(decodeStacktraces('{"a":1}'), ['{"a":1}']);
    assert.deepEqual(decodeStacktraces(''), []);
    assert.deepEqual(decodeStacktraces(null), []);
  });
});
