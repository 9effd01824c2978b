import assert from 'node:assert/strict';
import { describeState, isJobState, type JobState, STATE_NAMES, STATES } from '../../../src/keys/states';

describe('the table of states', () => {
  it('has eight rows, each found by its name', () => {
    assert.equal(STATES.length, 8);
    assert.equal(new Set(STATE_NAMES).size, 8);
    for (const row of STATES) assert.equal(describeState(row.state), row);
  });

  it('tells states from other texts', () => {
    assert.ok(isJobState('waiting-children'));
    assert.ok(!isJobState('waiting'));
    assert.throws(() => describeState('waiting' as JobState), /"waiting" is not a job state/);
  });

  it('names the two terminal states', () => {
    assert.deepEqual(
      STATES.filter((s) => s.terminal).map((s) => s.state),
      ['completed', 'failed'],
    );
  });
});
