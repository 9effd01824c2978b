import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeDelayedScore, decodePriorityScore, decodeTimeScore } from '../../../src/keys/scores';

describe('scores', () => {
  it('of delayed tell the due time and the place in its millisecond', () => {
    assert.deepEqual(decodeDelayedScore('7356301098639360'), { dueMs: 1795971947910, sequence: 0 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 41 - 1 }),
        fc.integer({ min: 0, max: 4095 }),
        (dueMs, sequence) => {
          const score = BigInt(dueMs) * 4096n + BigInt(sequence);
          assert.deepEqual(decodeDelayedScore(`${score}`), { dueMs, sequence });
        },
      ),
    );
  });

  it('of prioritized tell the priority and the counter, also beyond 2^53', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2097152 }),
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        (priority, counter) => {
          const score = BigInt(priority) * 2n ** 32n + BigInt(counter);
          assert.deepEqual(decodePriorityScore(`${score}`), { priority, counter });
        },
      ),
    );
    assert.deepEqual(decodePriorityScore('9.0071992547409920e+15'), { priority: 2097152, counter: 0 });
  });

  it('that are no finite number tell nothing', () => {
    for (const text of ['inf', '-inf', 'nan', 'x']) {
      assert.equal(decodeDelayedScore(text), undefined);
      assert.equal(decodePriorityScore(text), undefined);
      assert.equal(decodeTimeScore(text), undefined);
    }
  });

  it('with a fraction are cut, never rounded up', () => {
    assert.equal(decodeTimeScore('1795972039124.9'), 1795972039124);
    assert.equal(decodeDelayedScore('4096.5')?.dueMs, 1);
    assert.equal(decodeDelayedScore('-1')?.dueMs, -1);
  });
});
