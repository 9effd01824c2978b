import assert from 'node:assert/strict';
import { describeRefusal, findScriptCode, PRIVATE_CODES, SCRIPT_CODES } from '../../../src/scripts/codes';

describe('the closed set of codes', () => {
  it('is -1 to -11, in order, each with a name of its own', () => {
    assert.deepEqual(
      SCRIPT_CODES.map((entry) => entry.code),
      [-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11],
    );
    assert.equal(new Set(SCRIPT_CODES.map((entry) => entry.name)).size, SCRIPT_CODES.length);
  });

  it('has the names of the protocol', () => {
    assert.equal(findScriptCode(-1)?.name, 'JobNotExist');
    assert.equal(findScriptCode(-7)?.name, 'ParentJobCannotBeReplaced');
    assert.equal(findScriptCode(-12), undefined);
    assert.equal(findScriptCode(0), undefined);
  });

  it('says what happened to which job, and what to do', () => {
    const context = { script: 'reprocessJob-8', jobId: '42', expectedState: 'failed' };
    assert.equal(
      describeRefusal(-3, context),
      'Job 42: the job is no longer in the state "failed". Something moved it meanwhile. Refresh the queue to see where it is.',
    );
    assert.match(describeRefusal(-1, { script: 'x-1' }), /^The job does not exist\. /);
  });

  it('makes whole sentences of every code', () => {
    for (const { code } of SCRIPT_CODES) {
      for (const context of [{ script: 'x-1' }, { script: 'x-1', jobId: '7' }]) {
        assert.match(describeRefusal(code, context), /^[A-Z].*\. [A-Z].*\.$/);
      }
    }
  });

  it('lets a script have a meaning of its own for a number, and only that script', () => {
    assert.equal(findScriptCode(0, 'removeJob-2')?.name, 'JobLocked');
    assert.equal(findScriptCode(0, 'promote-9'), undefined);
    for (const { script, code, meaning } of PRIVATE_CODES) {
      const sentence = describeRefusal(code, { script, jobId: '7' });
      assert.ok(sentence.startsWith(`Job 7: ${meaning}. `));
      assert.match(sentence, /^[A-Z].*\. [A-Z].*\.$/);
    }
  });

  it('admits that it does not know a code outside the set', () => {
    assert.equal(
      describeRefusal(-99, { script: 'x-1', jobId: '7' }),
      'Job 7: x-1 answered with the unknown code -99.',
    );
  });
});
