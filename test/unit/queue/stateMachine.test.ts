import assert from 'node:assert/strict';
import { InputError } from '../../../src/base/errors';
import { STATE_NAMES } from '../../../src/keys/states';
import {
  describeTransition,
  legalTransitions,
  requireLegal,
  TRANSITIONS,
  type TransitionId,
} from '../../../src/queue/stateMachine';
import { SCRIPTS, type ScriptId } from '../../../src/scripts/registry.generated';

/** What workers do with the jobs they have, and no person asks for. */
const WORKER_SCRIPTS: readonly ScriptId[] = [
  'extendLock-2',
  'extendLocks-1',
  'moveJobFromActiveToWait-9',
  'moveToActive-11',
  'moveToDelayed-8',
  'moveToFinished-14',
  'releaseLock-1',
  'retryJob-11',
  'cleanJobsInSet-3',
  'drain-5',
  'moveJobsToWait-8',
  'addLog-2',
  'isFinished-3',
  'saveStacktrace-1',
  'updateData-1',
  'updateProgress-3',
];

/** What the protocol has no script for. */
const OUR_OWN: readonly TransitionId[] = ['editData', 'resetStalls', 'removeBackedUp', 'restore'];

const idsFrom = (state: (typeof STATE_NAMES)[number]) => legalTransitions(state).map((t) => t.id);

describe('the state machine', () => {
  it('names each transition once, with states and scripts that exist', () => {
    const files = SCRIPTS.map((s) => s.file);
    assert.equal(new Set(TRANSITIONS.map((t) => t.id)).size, TRANSITIONS.length);
    for (const transition of TRANSITIONS) {
      assert.equal(describeTransition(transition.id), transition);
      for (const state of [...transition.from, ...transition.to]) assert.ok(STATE_NAMES.includes(state));
      assert.ok(transition.to.length > 0 || transition.destroysData);
      for (const script of transition.scripts) assert.ok(files.includes(`${script}.lua`), script);
    }
  });

  it("uses every script there is, but those of the workers' own moves and locks", () => {
    const used = new Set<string>([...TRANSITIONS.flatMap((t) => t.scripts), ...WORKER_SCRIPTS]);
    for (const { file } of SCRIPTS) assert.ok(used.has(file.replace(/\.lua$/, '')), file);
  });

  it('has one script of the protocol in each transition that the protocol knows', () => {
    for (const { id, scripts } of TRANSITIONS) {
      const count = scripts.filter((s) => !s.startsWith('tools/')).length;
      assert.equal(count, OUR_OWN.includes(id) ? 0 : 1, id);
    }
  });

  it('offers for each state what may start there', () => {
    const always = ['remove', 'editData', 'resetStalls'];
    const sorted = (ids: readonly string[]) => [...ids].sort();
    for (const [state, ids] of [
      ['wait', ['changePriority']],
      ['paused', ['changePriority']],
      ['prioritized', ['changePriority']],
      ['delayed', ['promote', 'changeDelay', 'changePriority']],
      ['active', ['recover']],
      ['completed', ['retry']],
      ['failed', ['retry']],
      ['waiting-children', []],
    ] as const) {
      assert.deepEqual(sorted(idsFrom(state)), sorted([...always, ...ids]), state);
    }
  });

  it('refuses what it does not list, with the states it would start from', () => {
    assert.equal(requireLegal('retry', 'failed').id, 'retry');
    assert.throws(
      () => requireLegal('promote', 'failed'),
      (error: unknown) => {
        assert.ok(InputError.is(error));
        assert.match(error.message, /"Failed" cannot be promoted, only one in "Delayed"/);
        return true;
      },
    );
    assert.throws(() => requireLegal('retry', 'active'), /"Failed" or "Completed"/);
  });
});
