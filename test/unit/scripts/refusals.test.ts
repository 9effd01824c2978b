import assert from 'node:assert/strict';
import { SCRIPT_CODES } from '../../../src/scripts/codes';
import { findRefusals } from '../../../src/scripts/refusals';
import { SCRIPTS } from '../../../src/scripts/registry.generated';

const placesOf = (code: number) => findRefusals(code).map(({ script, step }) => `${script.file} ${step}`);

describe('the places where scripts refuse', () => {
  for (const script of SCRIPTS) {
    it(`are steps of ${script.file} for each of its codes, and its steps name no other code`, () => {
      for (const code of script.codes) {
        assert.ok(
          findRefusals(code).some((place) => place.script === script),
          `no step of ${script.file} says that it returns ${code}`,
        );
      }
      const named = script.steps.flatMap((step) =>
        [...step.matchAll(/\breturn (-\d+)/g)].map((m) => Number(m[1])),
      );
      assert.deepEqual(
        [...new Set(named)].filter((code) => !script.codes.includes(code)),
        [],
      );
    });
  }

  it('tell the steps of a script apart', () => {
    assert.deepEqual(
      placesOf(-6).filter((place) => place.startsWith('moveToFinished')),
      ['moveToFinished-14.lua 3'],
    );
    assert.ok(placesOf(-1).includes('retryJob-11.lua 2'));
    assert.ok(!placesOf(-1).some((place) => place.startsWith('promote')));
  });

  it('are in the closed set only', () => {
    const known = SCRIPT_CODES.flatMap(({ code }) => findRefusals(code)).length;
    assert.ok(known > 0);
    assert.deepEqual(findRefusals(-99), []);
  });
});
